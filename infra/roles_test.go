package infra_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/local/template"
)

// secretsBelow is the one wildcard: the secrets that the configuration names
// lie below a path that is given over to this stack.
const secretsBelow = "parameter/ringonce/*"

// onAnything are the statements about every resource: their actions take no
// other, or answer less on any other. The template says why beside each.
var onAnything = []string{"ReadAlarms", "JoinNetwork", "ButNotByCode"}

// attached are the stack's own policies that roles may carry besides their
// statements: those of the parts that are off by default.
var attached = regexp.MustCompile(`\{"Function":"If","Argument":\["(InVpc|OwnKey)",\{"Resource":"(NetworkPolicy|KeyPolicy)","Attribute":""\}\]\}`)

func TestNoRoleHasAWildcard(t *testing.T) {
	policies := described(t).Resources("AWS::IAM::ManagedPolicy")
	for _, r := range append(described(t).Resources("AWS::IAM::Role"), policies...) {
		statements := statementsOf(t, r)
		for _, s := range statements {
			if at(s, "Resource") == "*" && slices.Contains(onAnything, fmt.Sprint(at(s, "Sid"))) {
				delete(s, "Resource")
			}
		}
		content, err := json.Marshal(statements)
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.ReplaceAll(string(content), secretsBelow, ""); strings.Contains(text, "*") {
			t.Errorf("%s: %s", r.ID, text)
		}
		arns, err := json.Marshal(r.Properties["ManagedPolicyArns"])
		if err != nil {
			t.Fatal(err)
		}
		if rest := attached.ReplaceAllString(string(arns), ""); strings.Trim(rest, "[,]") != "" && rest != "null" {
			t.Errorf("%s carries %s", r.ID, rest)
		}
	}
}

// statementsOf lists what a role or a policy allows, with the optional
// statements.
func statementsOf(t *testing.T, r template.Resource) []map[string]any {
	t.Helper()
	documents := []any{at(r.Properties, "PolicyDocument")}
	if policies, ok := r.Properties["Policies"].([]any); ok {
		documents = nil
		for _, p := range policies {
			documents = append(documents, at(p, "PolicyDocument"))
		}
	}
	var all []map[string]any
	for _, d := range documents {
		list, _ := at(d, "Statement").([]any)
		for _, s := range list {
			if either, ok := s.(template.Unresolved); ok && either.Function == "If" {
				s = either.Argument.([]any)[1]
			}
			all = append(all, s.(map[string]any))
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no statement", r.ID)
	}
	return all
}
