//go:build mockaws

package infra_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// on is what a property is in the stack with every part on; absent in the other.
func on(stack, value string) string {
	if stack == "everything" {
		return value
	}
	return ""
}

var key = optional["KmsKeyArn"]

func TestTransformedFunctions(t *testing.T) {
	for stack, c := range stacks(t) {
		for _, f := range c.of(t, "AWS::Lambda::Function") {
			id := strings.TrimSuffix(f.id, "Function")
			name := strings.ToLower(id)
			f.has(t, "ring-"+name, "FunctionName")
			f.has(t, "[arm64]", "Architectures")
			f.has(t, "provided.al2023", "Runtime")
			f.has(t, "bootstrap", "Handler")
			f.has(t, name+".zip", "Code", "S3Key")
			f.has(t, id+"Role.Arn", "Role")
			f.has(t, "JSON", "LoggingConfig", "LogFormat")
			f.has(t, "INFO", "LoggingConfig", "ApplicationLogLevel")
			f.has(t, id+"LogGroup", "LoggingConfig", "LogGroup")
			f.has(t, on(stack, "[subnet-0123456789abcdef0 subnet-0123456789abcdef1]"), "VpcConfig", "SubnetIds")
			f.has(t, on(stack, "[sg-0123456789abcdef0]"), "VpcConfig", "SecurityGroupIds")
			f.has(t, "ring", "Environment", "Variables", "RINGONCE_STACK")
			for _, tag := range []string{"Key:application", "Key:stage", "Key:owner", "Key:cost-center"} {
				if !strings.Contains(f.text("Tags"), tag) {
					t.Errorf("%s has the tags %s", f.id, f.text("Tags"))
				}
			}
			group := c.resources[id+"LogGroup"]
			group.has(t, "/aws/lambda/ring-"+name, "LogGroupName")
			group.has(t, "30", "RetentionInDays")
			group.has(t, on(stack, key), "KmsKeyId")
			if group.DeletionPolicy != "Delete" {
				t.Errorf("%s is %q with its stack", group.id, group.DeletionPolicy)
			}
			if n, limited := at(f.Properties, "Timeout").(float64); !limited || n > 60 {
				t.Errorf("%s may run for %v s", f.id, n)
			}
		}
		c.resources["PollFunction"].has(t, "2", "ReservedConcurrentExecutions")
	}
	transformed(t, map[string]string{"PollReservedConcurrency": "0"}).resources["PollFunction"].has(t, "", "ReservedConcurrentExecutions")
	for _, f := range transformed(t, map[string]string{"LogLevel": "debug"}).of(t, "AWS::Lambda::Function") {
		f.has(t, "DEBUG", "LoggingConfig", "ApplicationLogLevel")
	}
}

// Whatever calls a function, a call that fails for good leaves its trace in a
// queue that the function's role, or the caller's, may write to.
func TestTransformedFailurePaths(t *testing.T) {
	for stack, c := range stacks(t) {
		for _, f := range c.of(t, "AWS::Lambda::Function") {
			role := c.resources[strings.TrimSuffix(f.id, "Function")+"Role"]
			ends := 0
			for _, r := range c.resources {
				if r.text("FunctionName") != f.id || !slices.Contains([]string{"AWS::Lambda::EventInvokeConfig", "AWS::Lambda::EventSourceMapping"}, r.Type) {
					continue
				}
				queue := r.text("DestinationConfig", "OnFailure", "Destination")
				if !mayWriteTo(t, role, queue) {
					t.Errorf("%s: %s leaves failures to %q, where %s may not write", stack, r.id, queue, role.id)
				}
				ends++
			}
			// A function behind a URL tells its caller.
			for _, r := range c.resources {
				if r.Type == "AWS::Lambda::Url" && strings.HasPrefix(r.text("TargetFunctionArn"), f.id) {
					ends++
				}
			}
			if ends == 0 {
				t.Errorf("%s: what fails in %s leaves no trace", stack, f.id)
			}
		}
	}
}

func mayWriteTo(t *testing.T, role made, queue string) bool {
	t.Helper()
	if !strings.HasSuffix(queue, "Queue.Arn") {
		return false
	}
	return slices.ContainsFunc(allows(t, role), func(s map[string]any) bool {
		return fmt.Sprint(s["Action"]) == "[sqs:SendMessage]" && s["Resource"] == queue
	})
}

// allows lists the statements of a role or a policy.
func allows(t *testing.T, r made) []map[string]any {
	t.Helper()
	documents := []any{at(r.Properties, "PolicyDocument")}
	if policies, ok := at(r.Properties, "Policies").([]any); ok {
		documents = policies
	}
	content, err := json.Marshal(documents)
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		PolicyDocument *struct{ Statement []map[string]any }
		Statement      []map[string]any
	}
	if err := json.Unmarshal(content, &all); err != nil {
		t.Fatal(err)
	}
	var statements []map[string]any
	for _, d := range all {
		statements = append(statements, d.Statement...)
		if d.PolicyDocument != nil {
			statements = append(statements, d.PolicyDocument.Statement...)
		}
	}
	if len(statements) == 0 {
		t.Fatalf("%s has no statement", r.id)
	}
	return statements
}
