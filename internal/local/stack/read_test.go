package stack

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/local/mapping"
	"github.com/ringonce/ringonce/internal/local/schedule"
	"github.com/ringonce/ringonce/internal/local/template"
)

func read(t *testing.T, content string) definition {
	t.Helper()
	parsed, err := template.Parse([]byte(content))
	check(t, err)
	s, err := parsed.Stack("test", nil)
	check(t, err)
	all, err := readFunctions(s, "test")
	check(t, err)
	return all[0]
}

func TestEverySettingOfAFunctionIsRead(t *testing.T) {
	f := read(t, `
Resources:
  Rows: {Type: AWS::DynamoDB::Table, Properties: {TableName: rows}}
  F:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: !Sub '${AWS::StackName}-fold'
      Timeout: 7
      Environment: {Variables: {TABLE: !Ref Rows}}
      Events:
        Rows:
          Type: DynamoDB
          Properties:
            Stream: !GetAtt Rows.StreamArn
            StartingPosition: TRIM_HORIZON
            BatchSize: 11
            ParallelizationFactor: 3
            FilterCriteria: {Filters: [{Pattern: '{"eventName": ["INSERT"]}'}]}
            FunctionResponseTypes: [ReportBatchItemFailures]
            BisectBatchOnFunctionError: true
            MaximumRetryAttempts: 4
            MaximumRecordAgeInSeconds: 90
        Minute:
          Type: ScheduleV2
          Properties: {ScheduleExpression: rate(2 minutes), Input: '{}'}
`)
	inserts, err := mapping.ParseFilter(`{"eventName": ["INSERT"]}`)
	check(t, err)
	want := definition{
		name: "fold", fullName: "test-fold", timeout: 7 * time.Second, env: []string{"TABLE=rows"},
		mappings: []mappingDefinition{{table: "Rows", settings: mapping.Settings{
			BatchSize: 11, ParallelizationFactor: 3, Filter: inserts, ReportBatchItemFailures: true,
			BisectBatchOnFunctionError: true, MaximumRetryAttempts: 4, MaximumRecordAge: 90 * time.Second,
		}}},
		schedules: []schedule.Schedule{{Rate: 2 * time.Minute, Input: "{}"}},
	}
	if got, want := fmt.Sprintf("%+v", f), fmt.Sprintf("%+v", want); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// What the template leaves out is what AWS takes it to be.
func TestAWSsDefaultsOfAMapping(t *testing.T) {
	f := read(t, `
Resources:
  F:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: test-f
      Events:
        Rows: {Type: DynamoDB, Properties: {Stream: !GetAtt Rows.StreamArn, StartingPosition: TRIM_HORIZON}}
`)
	want := mapping.Settings{MaximumRetryAttempts: -1}
	if got := fmt.Sprintf("%+v", f.mappings[0].settings); got != fmt.Sprintf("%+v", want) {
		t.Errorf("got %s, want %+v", got, want)
	}
}

// The order of the mappings does not matter to a drain: what decide writes
// while deliver's stream was already found empty is delivered too.
func TestADrainGoesOnUntilNothingIsLeft(t *testing.T) {
	s, p := start(t, Options{Env: []string{"STUB_KEYS=a"}})
	slices.SortFunc(s.workers.mappings, func(a, b *mapping.Mapping) int {
		return -slices.Compare([]byte(a.StreamARN), []byte(b.StreamARN))
	})
	if m := s.workers.mappings[0]; m.StreamARN != s.tables["OutboxTable"].stream {
		t.Fatalf("%s comes first, want the outbox", m.StreamARN)
	}
	check(t, s.Tick(t.Context(), tick))
	check(t, s.Drain(t.Context()))
	wantLines(t, s, p, "delivered", "delivered a 2026-01-02T03:04:00Z")
}
