package infra_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/ringonce/ringonce/internal/local/template"
)

// Every parameter says what it is for, bounds what it takes, and takes its own
// default, so that a stack without any of them is a safe one.
func TestParametersAreDescribedAndBounded(t *testing.T) {
	for path, least := range map[string]int{templatePath: 15, "key.yaml": 2} {
		all := parameters(t, path)
		if len(all) < least {
			t.Errorf("%s: only %d parameters", path, len(all))
		}
		for name, p := range all {
			if problem := unbounded(p); problem != "" {
				t.Errorf("%s: parameter %s %s", path, name, problem)
			}
		}
	}
}

func parameters(t *testing.T, path string) map[string]map[string]any {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Parameters map[string]map[string]any `yaml:"Parameters"`
	}
	if err := yaml.Unmarshal(content, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Parameters
}

func unbounded(p map[string]any) string {
	about, _ := p["Description"].(string)
	pattern, _ := p["AllowedPattern"].(string)
	values, _ := p["AllowedValues"].([]any)
	standard, given := p["Default"]
	switch {
	case len(about) < 20:
		return "is not described"
	case !given:
		return "has no default"
	case p["Type"] == "Number" && p["MinValue"] != nil && p["MaxValue"] != nil:
		return ""
	case values != nil && !slices.Contains(values, standard):
		return fmt.Sprintf("does not allow its own default %v", standard)
	case values != nil:
		return ""
	case pattern == "":
		return "takes anything"
	case p["ConstraintDescription"] == nil:
		return "does not say what it takes"
	case !regexp.MustCompile("^(?:" + pattern + ")$").MatchString(fmt.Sprint(standard)):
		return fmt.Sprintf("does not take its own default %q", standard)
	}
	return ""
}

// Two stages in one account and region are two stacks; whatever has a name of
// its own must have a different one in each.
func TestTwoStagesDoNotCollide(t *testing.T) {
	parsed, err := template.Load(templatePath)
	if err != nil {
		t.Fatal(err)
	}
	var stages [2]*template.Stack
	for i, name := range []string{"ringonce-test", "ringonce-production"} {
		if stages[i], err = parsed.Stack(name, nil); err != nil {
			t.Fatal(err)
		}
	}
	named := 0
	for _, r := range stages[0].Resources("") {
		other, _ := stages[1].Resource(r.ID)
		for property, name := range r.Properties {
			text, ok := name.(string)
			if !ok || !strings.HasSuffix(property, "Name") || property == "MetricName" {
				continue
			}
			named++
			if text == other.Properties[property] {
				t.Errorf("%s is %s=%s in every stack", r.ID, property, text)
			}
		}
		// IAM's names are the account's, in every region.
		if r.Properties["RoleName"] != nil || r.Properties["ManagedPolicyName"] != nil {
			t.Errorf("%s is given a name", r.ID)
		}
	}
	if named < 40 {
		t.Errorf("only %d names were seen", named)
	}
}

// taggable are the resources that a bill or an owner is asked for. Functions
// have their tags from the template's globals.
var taggable = []string{
	"AWS::DynamoDB::Table", "AWS::Logs::LogGroup", "AWS::IAM::Role", "AWS::SQS::Queue", "AWS::SNS::Topic",
	"AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm", "AWS::SES::ConfigurationSet",
}

func TestEverythingThatTakesTagsHasThem(t *testing.T) {
	parsed, err := template.Load(templatePath)
	if err != nil {
		t.Fatal(err)
	}
	s, err := parsed.Stack("ringonce", map[string]string{"Owner": "basket", "CostCenter": "4711", "Stage": "test"})
	if err != nil {
		t.Fatal(err)
	}
	want := "[map[Key:application Value:ringonce] map[Key:stage Value:test] map[Key:owner Value:basket] map[Key:cost-center Value:4711]]"
	for _, kind := range taggable {
		if len(s.Resources(kind)) == 0 {
			t.Errorf("there is no %s", kind)
		}
		for _, r := range s.Resources(kind) {
			if got := fmt.Sprint(r.Properties["Tags"]); got != want {
				t.Errorf("%s has the tags %s", r.ID, got)
			}
		}
	}
}

// A reader of the template must see why a statement is about every resource.
func TestEveryWildcardSaysWhy(t *testing.T) {
	content, err := os.ReadFile(templatePath)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(content), "\n")
	seen := 0
	for i, line := range lines {
		if strings.TrimSpace(line) != "Resource: '*'" {
			continue
		}
		seen++
		before := strings.Join(lines[max(0, i-40):i], "\n")
		if !regexp.MustCompile(`(?m)^ +# .*\bresource\b`).MatchString(before) {
			t.Errorf("line %d: a statement about every resource, and no comment why", i+1)
		}
	}
	if seen != len(onAnything) {
		t.Errorf("%d statements are about every resource, want %d", seen, len(onAnything))
	}
}
