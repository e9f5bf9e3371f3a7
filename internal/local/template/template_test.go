package template

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const example = `
Parameters:
  Stage: {Type: String, Default: prod}
  Size: {Type: Number, Default: 10}
  Zones: {Type: CommaDelimitedList, Default: 'a, b'}
Resources:
  Table:
    Type: AWS::DynamoDB::Table
    Properties: {TableName: !Sub '${AWS::StackName}-${Stage}'}
  Decide:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: !Join ['-', [!Ref AWS::StackName, decide]]
      Timeout: 30
      Tracing: !Ref AWS::NoValue
      Environment:
        Variables:
          TABLE: !Ref Table
          SIZE: {Ref: Size}
          LITERAL: !Sub '${!Stage} of ${Stage}'
          OWN: !Sub ['${Own}/${Stage}', {Own: !Ref Stage}]
          TOPIC: !Ref Topic
          ZONES: !Ref Zones
          JOINED: !Join ['+', !Ref Zones]
          ARNS: !Join [',', [!GetAtt Topic.Arn, x]]
      Policies:
        - Statement: [{Effect: Allow, Resource: !Sub '${Table.Arn}/index/*'}]
          Version: 2012-10-17
      Events:
        Stream:
          Type: DynamoDB
          Properties:
            Stream: !GetAtt Table.StreamArn
            StartingPosition: TRIM_HORIZON
            BatchSize: !If [Big, 100, !Ref Stage]
  Topic:
    Type: AWS::SNS::Topic
`

func stackOf(t *testing.T, content string, parameters map[string]string) (*Stack, error) {
	t.Helper()
	parsed, err := Parse([]byte(content))
	if err != nil {
		return nil, err
	}
	return parsed.Stack("ring", parameters)
}

func TestResolve(t *testing.T) {
	s, err := stackOf(t, example, map[string]string{"Stage": "dev"})
	if err != nil {
		t.Fatal(err)
	}
	decide, _ := s.Resource("Decide")
	want := Resource{ID: "Decide", Type: "AWS::Serverless::Function", Properties: map[string]any{
		"FunctionName": "ring-decide",
		"Timeout":      30,
		"Environment": map[string]any{"Variables": map[string]any{
			"TABLE": "ring-dev", "SIZE": "10", "LITERAL": "${Stage} of dev", "OWN": "dev/dev",
			"TOPIC": Reference{Resource: "Topic"}, "ZONES": []any{"a", "b"}, "JOINED": "a+b",
			"ARNS": Unresolved{Function: "Join", Argument: []any{",", []any{Reference{Resource: "Topic", Attribute: "Arn"}, "x"}}},
		}},
		"Policies": []any{map[string]any{
			"Statement": []any{map[string]any{
				"Effect": "Allow", "Resource": Unresolved{Function: "Sub", Argument: "${Table.Arn}/index/*"},
			}},
			"Version": "2012-10-17",
		}},
		"Events": map[string]any{"Stream": map[string]any{"Type": "DynamoDB", "Properties": map[string]any{
			"Stream":           Reference{Resource: "Table", Attribute: "StreamArn"},
			"StartingPosition": "TRIM_HORIZON",
			"BatchSize":        Unresolved{Function: "If", Argument: []any{"Big", 100, "dev"}},
		}}},
	}}
	if diff := cmp.Diff(want, decide); diff != "" {
		t.Errorf("resolved differs (- want, + got):\n%s", diff)
	}
	if topic, found := s.Resource("Topic"); !found || len(topic.Properties) != 0 {
		t.Errorf("topic is %v, %v", topic, found)
	}
	if _, found := s.Resource("Nothing"); found {
		t.Error("found a resource that is not there")
	}
	var ids []string
	for _, r := range s.Resources("") {
		ids = append(ids, r.ID)
	}
	if got := strings.Join(ids, " "); got != "Table Decide Topic" {
		t.Errorf("resources are %s, want them as written", got)
	}
}

func TestMistakes(t *testing.T) {
	table := func(properties string) string {
		return "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties: " + properties
	}
	for name, c := range map[string]struct{ content, want string }{
		"no YAML":             {"\t{", "found character"},
		"no resources":        {"Parameters: {}", "Resources"},
		"no type":             {"Resources:\n  T: {Properties: {}}", "line 2: resource T has no Type"},
		"unknown reference":   {table("{TableName: !Ref Nothing}"), `line 4: Ref to "Nothing"`},
		"unknown in a text":   {table("{TableName: !Sub 'x-${Nothing}'}"), `line 4: Ref to "Nothing"`},
		"given twice":         {table("\n      TableName: a\n      TableName: b"), "line 6: TableName is given twice"},
		"an alias":            {"x: &x {}\n" + table("*x"), "alias *x"},
		"an alias of itself":  {table("{Tags: &x [*x]}"), "alias *x"},
		"no properties":       {table("[]"), "Properties: want a mapping"},
		"a bad attribute":     {table("{TableName: !GetAtt Nothing}"), "want Resource.Attribute"},
		"a bad join":          {table("{TableName: !Join x}"), "Join: want"},
		"a bad sub":           {table("{TableName: !Sub [x]}"), "Sub: want"},
		"parameter, no value": {"Parameters: {P: {Type: String}}\n" + table("{}"), "parameter P has no default"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := stackOf(t, c.content, nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := stackOf(t, example, map[string]string{"Stages": "x"}); err == nil || !strings.Contains(err.Error(), "no parameter Stages") {
		t.Errorf("error is %v, want one that names the parameter", err)
	}
	if _, err := Load("nowhere.yaml"); err == nil || !strings.Contains(err.Error(), "nowhere.yaml") {
		t.Errorf("error is %v, want one that names the file", err)
	}
}

func FuzzStack(f *testing.F) {
	f.Add([]byte(example))
	f.Fuzz(func(t *testing.T, content []byte) {
		if parsed, err := Parse(content); err == nil {
			if s, err := parsed.Stack("ring", nil); err == nil {
				_, _ = s.Tables()
			}
		}
	})
}
