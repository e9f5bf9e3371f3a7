//go:build mockaws

package infra_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// transformedPath is what CloudFormation is given after SAM's transform; make
// writes it.
const transformedPath = "../build/template.json"

// cloud is a transformed template with values for its parameters: what
// CloudFormation would make. A Ref is a parameter's value or else the logical
// id, a GetAtt is ID.Attribute, in texts too.
type cloud struct {
	values     map[string]any
	conditions map[string]any
	resources  map[string]made
}

type made struct {
	id             string
	Type           string
	Condition      string
	DeletionPolicy string
	// Replaced is what becomes of it when an update makes another in its place.
	Replaced   string `json:"UpdateReplacePolicy"`
	Properties any
}

// optional are the parameters of the parts that are off by default.
var optional = map[string]string{
	"KmsKeyArn":              "arn:aws:kms:eu-central-1:123456789012:key/1234",
	"PermissionsBoundaryArn": "arn:aws:iam::123456789012:policy/bounds",
	"SubnetIds":              "subnet-0123456789abcdef0,subnet-0123456789abcdef1",
	"SecurityGroupIds":       "sg-0123456789abcdef0",
	"SesIdentityArns":        "arn:aws:ses:eu-central-1:123456789012:identity/example.com",
	"AlarmEmail":             "oncall@example.com",
	"PingUrl":                "ssm:/ringonce/ping-url",
	"PageSecret":             "/ringonce/page-secret",
}

// stacks are the stack of the defaults, and the one with every part on.
func stacks(t *testing.T) map[string]*cloud {
	t.Helper()
	return map[string]*cloud{"defaults": transformed(t, nil), "everything": transformed(t, optional)}
}

func transformed(t *testing.T, parameters map[string]string) *cloud {
	t.Helper()
	content, err := os.ReadFile(transformedPath)
	if err != nil {
		t.Fatalf("%v: run make deploy-mock, which writes it", err)
	}
	var doc struct {
		Parameters map[string]struct {
			Type    string
			Default any
		}
		Conditions map[string]any
		Resources  map[string]made
	}
	if err := json.Unmarshal(content, &doc); err != nil {
		t.Fatal(err)
	}
	c := &cloud{conditions: doc.Conditions, resources: map[string]made{}, values: map[string]any{
		"AWS::StackName": "ring", "AWS::Region": "eu-central-1", "AWS::AccountId": "123456789012",
		"AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com",
	}}
	for name, p := range doc.Parameters {
		value, given := parameters[name]
		if !given {
			value = fmt.Sprint(p.Default)
		}
		c.values[name] = value
		if p.Type == "CommaDelimitedList" {
			var list []any
			for element := range strings.SplitSeq(value, ",") {
				list = append(list, element)
			}
			c.values[name] = list
		}
	}
	for id, r := range doc.Resources {
		if r.Condition == "" || c.holds(r.Condition) {
			r.id, r.Properties = id, c.resolve(r.Properties)
			c.resources[id] = r
		}
	}
	return c
}

// of lists the resources of a type, by id; it fails if there is none.
func (c *cloud) of(t *testing.T, kind string) []made {
	t.Helper()
	var all []made
	for _, r := range c.resources {
		if r.Type == kind {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		t.Fatalf("there is no %s", kind)
	}
	slices.SortFunc(all, func(a, b made) int { return strings.Compare(a.id, b.id) })
	return all
}

// text is a property as text; "" when there is none.
func (r made) text(path ...string) string {
	if v := at(r.Properties, path...); v != nil {
		return fmt.Sprint(v)
	}
	return ""
}

// has fails where a property is not what it should be; "" is that it is absent.
func (r made) has(t *testing.T, want string, path ...string) {
	t.Helper()
	if got := r.text(path...); got != want {
		t.Errorf("%s: %s is %q, want %q", r.id, strings.Join(path, "."), got, want)
	}
}
