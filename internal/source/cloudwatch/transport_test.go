package cloudwatch_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdk "github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/smithy-go"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/cloudwatch"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// fake answers with one page after the other, or with an error.
type fake struct {
	pages []*sdk.DescribeAlarmsOutput
	err   error
	asked []*sdk.DescribeAlarmsInput
}

func (f *fake) DescribeAlarms(_ context.Context, in *sdk.DescribeAlarmsInput, _ ...func(*sdk.Options)) (*sdk.DescribeAlarmsOutput, error) {
	f.asked = append(f.asked, in)
	if f.err != nil {
		return nil, f.err
	}
	return f.pages[len(f.asked)-1], nil
}

// alarms are the recorded ones, as the SDK gives them.
func alarms(t *testing.T) *sdk.DescribeAlarmsOutput {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/vendors/cloudwatch/describe_alarms.json")
	if err != nil {
		t.Fatal(err)
	}
	out := &sdk.DescribeAlarmsOutput{}
	if err := json.Unmarshal(data, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func fetch(t *testing.T, api *fake) (observation.Listing, string) {
	t.Helper()
	cfg, _, err := config.Parse("test.yaml", []byte(`
version: 1
environment: test
owners: {team: {cost_center: CC-1, destinations: [chat]}}
destinations: {chat: {channel: slack_webhook, webhook_url: "env:HOOK"}}
sources:
  - id: alarms
    preset: cloudwatch
    params: {region: eu-central-1}
    owner: team
    operator_action: Look at it and act.
`), preset.FS)
	if err != nil {
		t.Fatal(err)
	}
	region := ""
	tr := &cloudwatch.Transport{Client: func(r string) cloudwatch.API { region = r; return api }}
	client := source.New(source.Options{
		Service: tr.For, Jitter: func() float64 { return 0 },
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
	return client.Fetch(t.Context(), cfg.Sources[0]), region
}

func TestAlarmsOfEveryTypeAndPage(t *testing.T) {
	first, second := alarms(t), alarms(t)
	first.CompositeAlarms, first.NextToken = nil, aws.String("more")
	second.MetricAlarms = nil
	api := &fake{pages: []*sdk.DescribeAlarmsOutput{first, second}}
	l, region := fetch(t, api)
	if !l.Complete || len(l.Items) != len(first.MetricAlarms)+len(second.CompositeAlarms) || len(l.Items) == 0 {
		t.Fatalf("%d items, complete %v, problems %v", len(l.Items), l.Complete, l.Problems)
	}
	if region != "eu-central-1" || len(api.asked) != 2 || len(api.asked[0].AlarmTypes) != 3 ||
		api.asked[0].NextToken != nil || aws.ToString(api.asked[1].NextToken) != "more" || aws.ToInt32(api.asked[0].MaxRecords) != 100 {
		t.Errorf("region %q, asked %+v", region, api.asked)
	}
	failing := 0
	for _, it := range l.Items {
		if it.Verdict == observation.Failing {
			failing++
		}
	}
	if it := l.Items[0]; failing != 3 || it.Evidence.FirstSeen.IsZero() || !strings.HasPrefix(it.Evidence.VendorID, "arn:aws:cloudwatch:") {
		t.Errorf("%d alarms fail, the first is %+v", failing, it)
	}
}

// case U1: a refusal is no list of alarms, and tells what to do.
func TestRefusals(t *testing.T) {
	api := func(code string, fault smithy.ErrorFault) error {
		return &smithy.OperationError{ServiceID: "CloudWatch", Err: &smithy.GenericAPIError{Code: code, Message: "SECRET account 111111111111", Fault: fault}}
	}
	for _, tt := range []struct {
		err      error
		says     string
		requests int
	}{
		{api("ThrottlingException", smithy.FaultClient), "429 Too Many Requests", 4},
		{api("Throttling", smithy.FaultClient), "429 Too Many Requests", 4},
		{api("AccessDenied", smithy.FaultClient), "403 Forbidden", 1},
		{api("ExpiredTokenException", smithy.FaultClient), "403 Forbidden", 1},
		{api("InternalServiceFault", smithy.FaultServer), "500 Internal Server Error", 4},
		{api("InvalidNextToken", smithy.FaultClient), "400 Bad Request", 1},
		{context.DeadlineExceeded, "timeout", 4},
		{errors.New("SECRET"), "network failure", 4},
	} {
		f := &fake{err: tt.err}
		l, _ := fetch(t, f)
		if l.Complete || len(l.Problems) != 1 || !strings.Contains(l.Problems[0].What, tt.says) || strings.Contains(l.Problems[0].What, "SECRET") || len(f.asked) != tt.requests {
			t.Errorf("%v: %d requests, %+v", tt.err, len(f.asked), l)
		}
	}
}

func TestOnlyCloudWatchsHostsAreAnswered(t *testing.T) {
	tr := &cloudwatch.Transport{}
	for host, want := range map[string]bool{
		"monitoring.us-east-1.amazonaws.com": true, "monitoring.cn-north-1.amazonaws.com.cn": true,
		"api.example.com": false, "monitoring.us-east-1.amazonaws.com.example.com": false, "x.monitoring.us-east-1.amazonaws.com": false,
	} {
		if got := tr.For(host) != nil; got != want {
			t.Errorf("%s: answered %v, want %v", host, got, want)
		}
	}
}
