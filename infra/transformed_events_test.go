//go:build mockaws

package infra_test

import (
	"maps"
	"strings"
	"testing"
)

func TestTransformedSchedules(t *testing.T) {
	for _, c := range stacks(t) {
		schedules := c.of(t, "AWS::Scheduler::Schedule")
		if len(schedules) != 3 {
			t.Errorf("%d schedules", len(schedules))
		}
		for _, s := range schedules {
			function, _, _ := strings.Cut(s.text("Target", "Arn"), ".")
			s.has(t, "", "Name")
			s.has(t, "cron(* * * * ? *)", "ScheduleExpression")
			s.has(t, "OFF", "FlexibleTimeWindow", "Mode")
			s.has(t, `{"scheduled_time":"<aws.scheduler.scheduled-time>"}`, "Target", "Input")
			s.has(t, "60", "Target", "RetryPolicy", "MaximumEventAgeInSeconds")
			s.has(t, "3", "Target", "RetryPolicy", "MaximumRetryAttempts")
			s.has(t, "LostEventsQueue.Arn", "Target", "DeadLetterConfig", "Arn")
			s.has(t, "SchedulerRole.Arn", "Target", "RoleArn")
			if !mayWriteTo(t, c.resources["SchedulerRole"], "LostEventsQueue.Arn") {
				t.Error("the scheduler may not write to its queue")
			}
			invoke := c.resources[function+"EventInvokeConfig"]
			invoke.has(t, function, "FunctionName")
			invoke.has(t, "$LATEST", "Qualifier")
			invoke.has(t, "60", "MaximumEventAgeInSeconds")
			invoke.has(t, "0", "MaximumRetryAttempts")
			invoke.has(t, "LostEventsQueue.Arn", "DestinationConfig", "OnFailure", "Destination")
		}
	}
}

func TestTransformedMailEvents(t *testing.T) {
	for _, c := range stacks(t) {
		rule := c.resources["ReceiptsFunctionMail"]
		targets, _ := at(rule.Properties, "Targets").([]any)
		if len(targets) != 1 {
			t.Fatalf("the rule has %d targets", len(targets))
		}
		target := made{id: rule.id, Properties: targets[0]}
		target.has(t, "3600", "RetryPolicy", "MaximumEventAgeInSeconds")
		target.has(t, "10", "RetryPolicy", "MaximumRetryAttempts")
		target.has(t, "LostEventsQueue.Arn", "DeadLetterConfig", "Arn")
		rule.has(t, "[ring-mail]", "EventPattern", "detail", "mail", "tags", "ses:configuration-set")
		policy := c.resources["LostEventsPolicy"]
		policy.has(t, "[LostEventsQueue]", "Queues")
		if s := allows(t, policy)[0]; s["Resource"] != "LostEventsQueue.Arn" || at(s["Condition"], "ArnEquals", "aws:SourceArn") != rule.id+".Arn" {
			t.Errorf("the queue takes messages by %v", s)
		}
		c.resources["ReceiptsFunctionMailPermission"].has(t, rule.id+".Arn", "SourceArn")
		invoke := c.resources["ReceiptsFunctionEventInvokeConfig"]
		invoke.has(t, "3600", "MaximumEventAgeInSeconds")
		invoke.has(t, "2", "MaximumRetryAttempts")
	}
}

func TestTransformedMappings(t *testing.T) {
	for _, c := range stacks(t) {
		want := map[string][5]string{
			"DecideFunction":  {"ObservationsTable.StreamArn", "100", "1", "5", "3600"},
			"DeliverFunction": {"OutboxTable.StreamArn", "10", "4", "3", "900"},
		}
		for _, m := range c.of(t, "AWS::Lambda::EventSourceMapping") {
			limits, ok := want[m.text("FunctionName")]
			if !ok {
				t.Errorf("%s is a mapping of %s", m.id, m.text("FunctionName"))
			}
			delete(want, m.text("FunctionName"))
			for i, name := range []string{"EventSourceArn", "BatchSize", "ParallelizationFactor", "MaximumRetryAttempts", "MaximumRecordAgeInSeconds"} {
				m.has(t, limits[i], name)
			}
			m.has(t, "TRIM_HORIZON", "StartingPosition")
			m.has(t, "[ReportBatchItemFailures]", "FunctionResponseTypes")
			m.has(t, "true", "BisectBatchOnFunctionError")
			m.has(t, `[map[Pattern:{"eventName": ["INSERT"]}]]`, "FilterCriteria", "Filters")
			m.has(t, "FailureQueue.Arn", "DestinationConfig", "OnFailure", "Destination")
		}
		if len(want) > 0 {
			t.Errorf("no mapping for %v", want)
		}
	}
}

// A public address answers 403 unless its function may be invoked by everybody in
// both ways that Lambda asks for since October 2025; by way of the address alone.
func TestTransformedPageIsOpenToWhoeverHasALink(t *testing.T) {
	got := map[string]string{}
	for _, p := range transformed(t, optional).of(t, "AWS::Lambda::Permission") {
		if p.text("Principal") == "*" {
			got[p.text("Action")] = p.text("FunctionUrlAuthType") + p.text("InvokedViaFunctionUrl") + " " + p.text("FunctionName")
		}
	}
	want := map[string]string{"lambda:InvokeFunctionUrl": "NONE PageFunction", "lambda:InvokeFunction": "true PageFunction"}
	if !maps.Equal(got, want) {
		t.Errorf("everybody may do %v, want %v", got, want)
	}
}
