//go:build mockaws

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

// compareRoles compares what each role allows, with the resources that it
// names as the mock has made them.
func (m *mock) compareRoles(t *testing.T, s *template.Stack, parameters, names map[string]string) {
	t.Helper()
	made, seen := transformed(t, parameters).resources, 0
	for _, r := range s.Resources("AWS::IAM::Role") {
		role, there := made[r.ID]
		if !there {
			continue
		}
		seen++
		policy := at(r.Properties["Policies"].([]any)[0], "PolicyName")
		var has struct{ PolicyDocument string }
		m.aws(t, &has, "iam", "get-role-policy", "--role-name", names[r.ID], "--policy-name", fmt.Sprint(policy))
		var document struct{ Statement []map[string]any }
		// The mock prints the document as Python does, and leaves a hole where a
		// statement is not to be.
		text := strings.NewReplacer("'", `"`, " None", " null").Replace(has.PolicyDocument)
		if err := json.Unmarshal([]byte(text), &document); err != nil {
			t.Fatalf("%v in %s", err, has.PolicyDocument)
		}
		got, want := map[string]string{}, map[string]string{}
		for _, statement := range document.Statement {
			if statement == nil {
				continue
			}
			got[said(statement)] = fmt.Sprint(statement["Action"], resources(statement["Resource"], withoutTime))
		}
		for _, statement := range expected(r, allows(t, role)) {
			want[said(statement)] = fmt.Sprint(statement["Action"], resources(statement["Resource"], func(v any) string { return arn(s, v) }))
		}
		equal(t, r.ID, got, want)
	}
	if seen < 7 {
		t.Errorf("only %d roles were compared", seen)
	}
}

func said(statement map[string]any) string { return fmt.Sprint(statement["Sid"]) }

// expected are a role's statements in the template; of the optional ones those
// whose part is on.
func expected(r template.Resource, on []map[string]any) []map[string]any {
	var all []map[string]any
	list, _ := at(r.Properties["Policies"].([]any)[0], "PolicyDocument", "Statement").([]any)
	for _, s := range list {
		if either, ok := s.(template.Unresolved); ok {
			s = either.Argument.([]any)[1]
			if !slices.ContainsFunc(on, func(o map[string]any) bool { return said(o) == said(s.(map[string]any)) }) {
				continue
			}
		}
		all = append(all, s.(map[string]any))
	}
	return all
}

func resources(v any, name func(any) string) []string {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var all []string
	for _, e := range list {
		all = append(all, name(e))
	}
	slices.Sort(all)
	return all
}

// withoutTime leaves out when a stream was made, which ends its ARN.
func withoutTime(v any) string {
	return regexp.MustCompile(`/stream/.*`).ReplaceAllString(fmt.Sprint(v), "/stream/")
}

// arns are what the ARNs of a type begin with, and the property with the name
// that they end with. In AWS a log group's goes on with its streams.
var arns = map[string][2]string{
	"AWS::DynamoDB::Table":      {"arn:aws:dynamodb:eu-central-1:123456789012:table/", "TableName"},
	"AWS::Logs::LogGroup":       {"arn:aws:logs:eu-central-1:123456789012:log-group:", "LogGroupName"},
	"AWS::SQS::Queue":           {"arn:aws:sqs:eu-central-1:123456789012:", "QueueName"},
	"AWS::Serverless::Function": {"arn:aws:lambda:eu-central-1:123456789012:function:", "FunctionName"},
}

var named = regexp.MustCompile(`\$\{(\w+)\.(Arn|StreamArn)\}`)

// arn is the ARN that a template's value is in AWS.
func arn(s *template.Stack, v any) string {
	switch v := v.(type) {
	case template.Reference:
		r, _ := s.Resource(v.Resource)
		form := arns[r.Type]
		text := form[0] + fmt.Sprint(r.Properties[form[1]])
		if v.Attribute == "StreamArn" {
			text += "/stream/"
		}
		return text
	case template.Unresolved:
		return named.ReplaceAllStringFunc(fmt.Sprint(v.Argument), func(m string) string {
			parts := named.FindStringSubmatch(m)
			return arn(s, template.Reference{Resource: parts[1], Attribute: parts[2]})
		})
	}
	return fmt.Sprint(v)
}

// compareOptions compares what the mock holds of the parts that are off by
// default.
func (m *mock) compareOptions(t *testing.T, names, parameters map[string]string) {
	t.Helper()
	for _, id := range []string{"FailureQueue", "LostEventsQueue"} {
		var queue struct{ Attributes map[string]string }
		m.aws(t, &queue, "sqs", "get-queue-attributes", "--attribute-names", "All", "--queue-url", names[id], "--endpoint-url", m.endpoint())
		equal(t, id, queue.Attributes["KmsMasterKeyId"], parameters["KmsKeyArn"])
	}
	var topic struct{ Attributes map[string]string }
	m.aws(t, &topic, "sns", "get-topic-attributes", "--topic-arn", names["AlarmTopic"])
	equal(t, "AlarmTopic", topic.Attributes["KmsMasterKeyId"], parameters["KmsKeyArn"])
	var function struct {
		VpcConfig struct{ SubnetIds, SecurityGroupIds []string }
	}
	m.aws(t, &function, "lambda", "get-function-configuration", "--function-name", names["PollFunction"])
	equal(t, "SubnetIds", function.VpcConfig.SubnetIds, strings.Split(parameters["SubnetIds"], ","))
	equal(t, "SecurityGroupIds", function.VpcConfig.SecurityGroupIds, strings.Split(parameters["SecurityGroupIds"], ","))
}

func (m *mock) endpoint() string {
	return strings.TrimPrefix(m.env[len(m.env)-1], "AWS_ENDPOINT_URL=")
}
