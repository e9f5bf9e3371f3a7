//go:build mockaws

package infra_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestTransformedTables(t *testing.T) {
	streams := map[string]string{"ObservationsTable": "NEW_IMAGE", "OutboxTable": "NEW_IMAGE"}
	for stack, c := range stacks(t) {
		tables := c.of(t, "AWS::DynamoDB::Table")
		if len(tables) != 4 {
			t.Errorf("%d tables", len(tables))
		}
		for _, table := range tables {
			if table.DeletionPolicy != "Retain" || table.Replaced != "Retain" {
				t.Errorf("%s is %q with its stack, %q when replaced", table.id, table.DeletionPolicy, table.Replaced)
			}
			table.has(t, "PAY_PER_REQUEST", "BillingMode")
			table.has(t, "true", "DeletionProtectionEnabled")
			table.has(t, "true", "PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled")
			table.has(t, "true", "SSESpecification", "SSEEnabled")
			table.has(t, "KMS", "SSESpecification", "SSEType")
			table.has(t, on(stack, key), "SSESpecification", "KMSMasterKeyId")
			table.has(t, "expires_at", "TimeToLiveSpecification", "AttributeName")
			table.has(t, "true", "TimeToLiveSpecification", "Enabled")
			table.has(t, streams[table.id], "StreamSpecification", "StreamViewType")
		}
	}
	transformed(t, map[string]string{"ProtectTables": "false"}).resources["OutboxTable"].has(t, "false", "DeletionProtectionEnabled")
}

func TestTransformedQueuesAndTopicAreEncrypted(t *testing.T) {
	for stack, c := range stacks(t) {
		for _, q := range c.of(t, "AWS::SQS::Queue") {
			q.has(t, on(stack, key), "KmsMasterKeyId")
			if managed := q.text("SqsManagedSseEnabled") == "true"; managed == (stack == "everything") {
				t.Errorf("%s: %s is encrypted by SQS: %v", stack, q.id, managed)
			}
		}
		for _, topic := range c.of(t, "AWS::SNS::Topic") {
			topic.has(t, on(stack, key), "KmsMasterKeyId")
		}
		if _, mailed := c.resources["AlarmSubscription"]; mailed != (stack == "everything") {
			t.Errorf("%s: alarms are mailed: %v", stack, mailed)
		}
	}
}

// wide are the parts of a resource's name that may be anything.
var wide = regexp.MustCompile(`:parameter/ringonce/\*`)

func TestTransformedRoles(t *testing.T) {
	for stack, c := range stacks(t) {
		var functions, roles []string
		for _, f := range c.of(t, "AWS::Lambda::Function") {
			functions = append(functions, strings.TrimSuffix(f.id, "Function")+"Role")
		}
		for _, r := range c.of(t, "AWS::IAM::Role") {
			roles = append(roles, r.id)
			r.has(t, on(stack, optional["PermissionsBoundaryArn"]), "PermissionsBoundary")
			want := on(stack, "[NetworkPolicy KeyPolicy]")
			if r.id == "SchedulerRole" {
				want = on(stack, "[KeyPolicy]")
			}
			if got := r.text("ManagedPolicyArns"); got != want && (want != "" || got != "[]") {
				t.Errorf("%s: %s carries %s", stack, r.id, got)
			}
			narrow(t, r)
		}
		// Nothing runs with a role that SAM made up.
		if want := append(functions, "SchedulerRole"); !same(roles, want) {
			t.Errorf("roles %v, want %v", roles, want)
		}
		for _, id := range []string{"KeyPolicy", "NetworkPolicy"} {
			policy, there := c.resources[id]
			if there != (stack == "everything") {
				t.Errorf("%s: there is %s: %v", stack, id, there)
			}
			if there {
				narrow(t, policy)
			}
		}
	}
}

func same(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// narrow fails where a statement is about any action or any resource, but those
// that the template says a reason for.
func narrow(t *testing.T, r made) {
	t.Helper()
	for _, s := range allows(t, r) {
		about := wide.ReplaceAllString(fmt.Sprint(s["Resource"]), "")
		if strings.Contains(fmt.Sprint(s["Action"]), "*") {
			t.Errorf("%s: %v", r.id, s)
		}
		if strings.Contains(about, "*") && (about != "*" || !slices.Contains(onAnything, fmt.Sprint(s["Sid"]))) {
			t.Errorf("%s: %v", r.id, s)
		}
	}
}

// The code of every function is denied what Lambda does in its name on networks.
func TestTransformedNetworkIsNotForCode(t *testing.T) {
	c := transformed(t, optional)
	var denied, want []string
	for _, s := range allows(t, c.resources["NetworkPolicy"]) {
		if s["Effect"] == "Deny" {
			for _, arn := range at(s["Condition"], "ArnEquals", "lambda:SourceFunctionArn").([]any) {
				denied = append(denied, arn.(string))
			}
		}
	}
	for _, f := range c.of(t, "AWS::Lambda::Function") {
		want = append(want, "arn:aws:lambda:eu-central-1:123456789012:function:"+f.text("FunctionName"))
	}
	if !same(denied, want) {
		t.Errorf("denied to %v, want %v", denied, want)
	}
}

func TestTransformedAlarms(t *testing.T) {
	for stack, c := range stacks(t) {
		composite := c.resources["AttentionAlarm"]
		composite.has(t, "[AlarmTopic]", "AlarmActions")
		composite.has(t, "[AlarmTopic]", "OKActions")
		composite.has(t, "HeartbeatAlarm", "ActionsSuppressor")
		rule := composite.text("AlarmRule")
		joined := regexp.MustCompile(`ALARM\("(\w+)"\)`).FindAllStringSubmatch(rule, -1)
		if strings.Count(rule, " OR ") != len(joined)-1 {
			t.Errorf("%s: the composite's rule is %s", stack, rule)
		}
		alarms := c.of(t, "AWS::CloudWatch::Alarm")
		alone := 3 // the heartbeat and, whatever else goes on, lost and held messages
		if stack == "everything" {
			alone = 4 // the page's throttles, too
		}
		if len(joined) != len(alarms)-alone {
			t.Errorf("%s: %d alarms, %d of them joined", stack, len(alarms), len(joined))
		}
		for _, a := range alarms {
			missing, actions := "notBreaching", ""
			switch {
			case a.id == "HeartbeatAlarm":
				missing, actions = "breaching", "[AlarmTopic]"
			case a.id == "PageThrottlesAlarm", a.id == "DeadDeliveriesAlarm", a.id == "HeldDeliveriesAlarm":
				actions = "[AlarmTopic]"
			case !strings.Contains(rule, `ALARM("`+a.id+`")`):
				t.Errorf("%s: %s reaches nobody", stack, a.id)
			}
			if a.id == "SesBouncesAlarm" {
				missing = "ignore"
			}
			a.has(t, missing, "TreatMissingData")
			a.has(t, actions, "AlarmActions")
			a.has(t, actions, "OKActions")
		}
		for _, m := range joined {
			if _, there := c.resources[m[1]]; !there {
				t.Errorf("%s: the composite names %s, which is not there", stack, m[1])
			}
		}
	}
}
