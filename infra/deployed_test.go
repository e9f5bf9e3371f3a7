//go:build mockaws

package infra_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/ringonce/ringonce/internal/local/template"
)

// Two stages are deployed side by side, one of them with every part on; one is
// updated; both go, and leave their tables. The mock says nothing of what it
// does not know (alarms, schedules, limits to asynchronous events) and drops a
// table's time to live, recovery and key, a log's key and a role's attached
// policies: those are what the tests of the transformed template are for. What
// it holds is what the code expects.
func TestDeployUpdateDelete(t *testing.T) {
	m := startMock(t)
	m.aws(t, nil, "s3api", "create-bucket", "--bucket", "packages", "--create-bucket-configuration", "LocationConstraint=eu-central-1")
	m.aws(t, nil, "s3", "cp", "--quiet", "--recursive", "../build/package", "s3://packages")
	var made struct{ KeyMetadata struct{ Arn string } }
	m.aws(t, &made, "kms", "create-key")
	everything := maps.Clone(optional)
	delete(everything, "PageSecret") // the mock gives no function a URL
	everything["KmsKeyArn"], everything["Stage"] = made.KeyMetadata.Arn, "production"

	m.change(t, "create-stack", "ringonce-test", map[string]string{"Stage": "test", "ProtectTables": "false"})
	m.change(t, "create-stack", "ringonce-production", everything)
	for _, stack := range []string{"ringonce-test", "ringonce-production"} {
		if got := m.status(t, stack); got != "CREATE_COMPLETE" {
			t.Fatalf("%s is %s", stack, got)
		}
	}
	m.compareFunctions(t, describedAs(t, "ringonce-test", nil), nil)
	production := describedAs(t, "ringonce-production", everything)
	m.compareFunctions(t, production, everything)
	m.compareTables(t, production)
	m.compareMappings(t, production)
	names := m.physical(t, "ringonce-production")
	m.compareRoles(t, production, everything, names)
	m.compareOptions(t, names, everything)

	m.change(t, "update-stack", "ringonce-test", map[string]string{"Stage": "test", "ProtectTables": "false", "LogLevel": "debug"})
	if got := m.status(t, "ringonce-test"); got != "UPDATE_COMPLETE" {
		t.Fatalf("after the update the stack is %s", got)
	}
	m.compareFunctions(t, describedAs(t, "ringonce-test", map[string]string{"LogLevel": "debug"}), nil)

	for _, stack := range []string{"ringonce-test", "ringonce-production"} {
		m.aws(t, nil, "cloudformation", "delete-stack", "--stack-name", stack)
	}
	var after struct {
		StackSummaries []struct{ StackName, StackStatus string }
	}
	m.aws(t, &after, "cloudformation", "list-stacks")
	for _, s := range after.StackSummaries {
		if s.StackStatus != "DELETE_COMPLETE" {
			t.Errorf("%s is %s after it was deleted", s.StackName, s.StackStatus)
		}
	}
	m.onlyTablesAreLeft(t)
}

// change creates or updates a stack, which the mock does before it answers.
func (m *mock) change(t *testing.T, how, stack string, parameters map[string]string) {
	t.Helper()
	var list []map[string]string
	for name, value := range parameters {
		list = append(list, map[string]string{"ParameterKey": name, "ParameterValue": value})
	}
	content, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	body := transformedPath
	if how == "update-stack" {
		body = withoutAbsent(t, parameters)
	}
	m.aws(t, nil, "cloudformation", how, "--stack-name", stack, "--template-body", "file://"+body,
		"--capabilities", "CAPABILITY_IAM", "--parameters", string(content))
}

// withoutAbsent leaves out of the template what its conditions leave out, which
// the mock heeds when it creates a stack, but not when it updates one.
func withoutAbsent(t *testing.T, parameters map[string]string) string {
	t.Helper()
	content, err := os.ReadFile(transformedPath)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(content, &doc); err != nil {
		t.Fatal(err)
	}
	c := transformed(t, parameters)
	for _, section := range []string{"Resources", "Outputs"} {
		maps.DeleteFunc(doc[section].(map[string]any), func(_ string, r any) bool {
			condition, _ := at(r, "Condition").(string)
			return condition != "" && !c.holds(condition)
		})
	}
	if content, err = json.Marshal(doc); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "template.json")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func describedAs(t *testing.T, stack string, parameters map[string]string) *template.Stack {
	t.Helper()
	parsed, err := template.Load(templatePath)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"AWS::Region": "eu-central-1", "AWS::AccountId": "123456789012"}
	maps.Copy(values, parameters)
	s, err := parsed.Stack(stack, values)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (m *mock) onlyTablesAreLeft(t *testing.T) {
	t.Helper()
	var tables struct{ TableNames []string }
	m.aws(t, &tables, "dynamodb", "list-tables")
	if len(tables.TableNames) != 8 {
		t.Errorf("the tables that are left are %v", tables.TableNames)
	}
	for what, list := range map[string][2]string{
		"Functions": {"lambda", "list-functions"}, "EventSourceMappings": {"lambda", "list-event-source-mappings"},
		"Roles": {"iam", "list-roles"}, "Topics": {"sns", "list-topics"}, "logGroups": {"logs", "describe-log-groups"},
	} {
		var answer map[string][]any
		m.aws(t, &answer, list[0], list[1])
		if len(answer[what]) > 0 {
			t.Errorf("%s are left: %v", what, answer[what])
		}
	}
}
