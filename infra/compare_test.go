//go:build mockaws

package infra_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/local/template"
)

// shape is what code relies on in a table.
type shape struct {
	AttributeDefinitions   []types.AttributeDefinition
	KeySchema              []types.KeySchemaElement
	GlobalSecondaryIndexes []struct {
		IndexName  string
		KeySchema  []types.KeySchemaElement
		Projection types.Projection
	} `json:",omitempty"`
	StreamSpecification *types.StreamSpecification
	BillingMode         types.BillingMode
}

// compareTables, as the other comparisons, holds what the mock has of a stack
// against the template as the local stack reads it, which every test of the code
// runs on.
func (m *mock) compareTables(t *testing.T, s *template.Stack) {
	t.Helper()
	tables, err := s.Tables()
	if err != nil || len(tables) != 4 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	for _, table := range tables {
		var has struct {
			Table struct {
				shape
				BillingModeSummary struct{ BillingMode types.BillingMode }
			}
		}
		m.aws(t, &has, "dynamodb", "describe-table", "--table-name", table.Name())
		has.Table.BillingMode = has.Table.BillingModeSummary.BillingMode
		var want shape
		again(t, table.Create, &want)
		equal(t, table.Name(), has.Table.shape, want)
	}
}

func (m *mock) compareMappings(t *testing.T, s *template.Stack) {
	t.Helper()
	var has struct{ EventSourceMappings []map[string]any }
	m.aws(t, &has, "lambda", "list-event-source-mappings")
	seen := 0
	for _, f := range s.Resources("AWS::Serverless::Function") {
		events, _ := f.Properties["Events"].(map[string]any)
		for _, e := range events {
			if at(e, "Type") != "DynamoDB" {
				continue
			}
			seen++
			i := slices.IndexFunc(has.EventSourceMappings, func(m map[string]any) bool {
				return strings.HasSuffix(fmt.Sprint(m["FunctionArn"]), ":"+fmt.Sprint(f.Properties["FunctionName"]))
			})
			if i < 0 {
				t.Fatalf("there is no mapping to %s", f.Properties["FunctionName"])
			}
			properties := at(e, "Properties").(map[string]any)
			for name, want := range properties {
				switch got := has.EventSourceMappings[i][name]; name {
				case "Stream":
					equal(t, f.ID+" Stream", withoutTime(has.EventSourceMappings[i]["EventSourceArn"]), arn(s, want))
				case "DestinationConfig":
					equal(t, f.ID+" OnFailure", at(got, "OnFailure", "Destination"), arn(s, at(want, "OnFailure", "Destination")))
				default:
					equal(t, f.ID+" "+name, got, want)
				}
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d mappings, want 2", seen)
	}
}

// compareFunctions compares the environment that the code reads, and the rest
// that the mock has of a function.
func (m *mock) compareFunctions(t *testing.T, s *template.Stack, parameters map[string]string) {
	t.Helper()
	made := transformed(t, parameters).resources
	var has struct{ Functions []map[string]any }
	m.aws(t, &has, "lambda", "list-functions")
	for _, f := range s.Resources("AWS::Serverless::Function") {
		if _, there := made[f.ID]; !there {
			continue
		}
		i := slices.IndexFunc(has.Functions, func(g map[string]any) bool { return g["FunctionName"] == f.Properties["FunctionName"] })
		if i < 0 {
			t.Fatalf("there is no function %s", f.Properties["FunctionName"])
		}
		got := has.Functions[i]
		equal(t, f.ID+" Timeout", got["Timeout"], f.Properties["Timeout"])
		equal(t, f.ID+" Runtime", fmt.Sprint(got["Runtime"], got["Handler"]), "provided.al2023bootstrap")
		want := maps.Clone(at(f.Properties, "Environment", "Variables").(map[string]any))
		variables, _ := at(got, "Environment", "Variables").(map[string]any)
		for name, value := range want {
			// What hangs on a condition is for the transformed template to show.
			if _, open := value.(template.Unresolved); open && variables[name] != nil {
				delete(want, name)
				delete(variables, name)
				continue
			}
			// The mock keeps a number that Lambda takes as the text it is.
			variables[name] = fmt.Sprint(variables[name])
		}
		if url, ok := variables["RINGONCE_FAILURE_QUEUE"].(string); ok {
			// In AWS it is the queue's URL, of which the local stack has the name.
			variables["RINGONCE_FAILURE_QUEUE"] = url[strings.LastIndexByte(url, '/')+1:]
		}
		equal(t, f.ID+" Environment", variables, want)
		role := fmt.Sprint(want["RINGONCE_STACK"], "-", strings.TrimSuffix(f.ID, "Function"), "Role-")
		if !strings.Contains(fmt.Sprint(got["Role"]), ":role/"+role) {
			t.Errorf("%s has the role %v, want %s…", f.ID, got["Role"], role)
		}
	}
}

// again reads a value into another by its JSON.
func again(t *testing.T, from, into any) {
	t.Helper()
	content, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// equal compares by JSON, so that 5 read from an answer is 5 of the template.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	g, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	w, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if string(g) != string(w) {
		t.Errorf("%s:\n deployed %s\n expected %s", what, g, w)
	}
}
