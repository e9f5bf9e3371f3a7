package infra_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/ringonce/ringonce/internal/local/template"
)

const templatePath = "../template.yaml"

// described is template.yaml as a stack of its own name, with the defaults of
// its parameters.
func described(t *testing.T) *template.Stack {
	t.Helper()
	parsed, err := template.Load(templatePath)
	if err != nil {
		t.Fatal(err)
	}
	s, err := parsed.Stack("ringonce", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// at follows names into properties; nil when there is nothing.
func at(v any, path ...string) any {
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

// function is one Lambda function of the template.
type function struct {
	template.Resource
	// folder is its folder's name below functions.
	folder string
}

func functions(t *testing.T) []function {
	t.Helper()
	var all []function
	for _, r := range described(t).Resources("AWS::Serverless::Function") {
		name, _ := r.Properties["FunctionName"].(string)
		all = append(all, function{r, strings.TrimPrefix(name, "ringonce-")})
	}
	return all
}

func TestEveryFolderIsAFunction(t *testing.T) {
	entries, err := os.ReadDir("../functions")
	if err != nil {
		t.Fatal(err)
	}
	var folders, named []string
	for _, e := range entries {
		folders = append(folders, e.Name())
	}
	for _, f := range functions(t) {
		named = append(named, f.folder)
	}
	slices.Sort(named)
	if !slices.Equal(folders, named) {
		t.Errorf("folders %v, functions %v", folders, named)
	}
}

// What all functions have in common is said once, and nobody says otherwise.
func TestFunctionsAreSmallArmBinaries(t *testing.T) {
	content, err := os.ReadFile(templatePath)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := yaml.Unmarshal(content, &doc); err != nil {
		t.Fatal(err)
	}
	g := at(doc, "Globals", "Function")
	if at(g, "Runtime") != "provided.al2023" || at(g, "Handler") != "bootstrap" ||
		fmt.Sprint(at(g, "Architectures")) != "[arm64]" || at(g, "LoggingConfig", "LogFormat") != "JSON" {
		t.Errorf("globals %v", g)
	}
	// Where it is not said, Lambda throws away what the functions log at debug.
	if level := fmt.Sprint(at(g, "LoggingConfig", "ApplicationLogLevel")); level != "[LogsMore DEBUG INFO]" {
		t.Errorf("the level that Lambda lets pass is %s", level)
	}
	for _, f := range functions(t) {
		for _, own := range []string{"Runtime", "Handler", "Architectures"} {
			if f.Properties[own] != nil {
				t.Errorf("%s has a %s of its own", f.ID, own)
			}
		}
	}
}

func TestEveryFunctionHasItsOwnRoleAndLog(t *testing.T) {
	s := described(t)
	for _, f := range functions(t) {
		id := strings.TrimSuffix(f.ID, "Function")
		if f.Properties["Role"] != (template.Reference{Resource: id + "Role", Attribute: "Arn"}) {
			t.Errorf("%s has the role %v", f.ID, f.Properties["Role"])
		}
		group, ok := s.Resource(id + "LogGroup")
		if !ok || at(f.Properties, "LoggingConfig", "LogGroup") != (template.Reference{Resource: group.ID}) {
			t.Errorf("%s logs to %v", f.ID, at(f.Properties, "LoggingConfig", "LogGroup"))
		}
		if fmt.Sprint(group.Properties["RetentionInDays"]) != "30" {
			t.Errorf("%s is kept for %v", group.ID, group.Properties["RetentionInDays"])
		}
	}
}

// lost is where events end that no function handled.
var lost = template.Reference{Resource: "LostEventsQueue", Attribute: "Arn"}

// A failed event is tried again within limits, and then ends somewhere.
func TestEveryEventHasAnEnd(t *testing.T) {
	for _, f := range functions(t) {
		events, _ := f.Properties["Events"].(map[string]any)
		if at(f.Properties, "FunctionUrlConfig") != nil {
			// Who asks hears at once, and asks again or does not.
			continue
		}
		if len(events) == 0 {
			t.Errorf("%s has no event", f.ID)
		}
		for id, e := range events {
			var missing []string
			want := func(ok bool, what string) {
				if !ok {
					missing = append(missing, what)
				}
			}
			p := at(e, "Properties")
			switch at(e, "Type") {
			case "DynamoDB":
				want(fmt.Sprint(at(p, "FunctionResponseTypes")) == "[ReportBatchItemFailures]", "ReportBatchItemFailures")
				want(at(p, "BisectBatchOnFunctionError") == true, "bisecting")
				want(number(at(p, "MaximumRetryAttempts")) > 0, "a limit to retries")
				want(number(at(p, "MaximumRecordAgeInSeconds")) > 0, "a limit to age")
				want(strings.Contains(fmt.Sprint(at(p, "FilterCriteria")), "INSERT"), "the filter")
				want(at(p, "DestinationConfig", "OnFailure", "Destination") == template.Reference{Resource: "FailureQueue", Attribute: "Arn"}, "the failure queue")
			case "ScheduleV2":
				want(at(p, "OmitName") == true, "OmitName")
				want(number(at(p, "RetryPolicy", "MaximumEventAgeInSeconds")) == 60, "the schedule's limit to age")
				want(number(at(p, "RetryPolicy", "MaximumRetryAttempts")) > 0, "the schedule's limit to retries")
				want(at(p, "DeadLetterConfig", "Arn") == lost, "the schedule's queue")
				want(at(f.Properties, "EventInvokeConfig", "DestinationConfig", "OnFailure", "Destination") == lost, "Lambda's queue")
				want(number(at(f.Properties, "EventInvokeConfig", "MaximumEventAgeInSeconds")) == 60, "Lambda's limit to age")
				want(at(f.Properties, "EventInvokeConfig", "MaximumRetryAttempts") == 0, "no retries of Lambda's own")
			case "EventBridgeRule":
				want(number(at(p, "RetryPolicy", "MaximumEventAgeInSeconds")) > 0, "the rule's limit to age")
				want(number(at(p, "RetryPolicy", "MaximumRetryAttempts")) > 0, "the rule's limit to retries")
				want(at(p, "DeadLetterConfig", "Arn") == lost, "the rule's queue")
				want(at(f.Properties, "EventInvokeConfig", "DestinationConfig", "OnFailure", "Destination") == lost, "Lambda's queue")
				want(number(at(f.Properties, "EventInvokeConfig", "MaximumEventAgeInSeconds")) > 0, "Lambda's limit to age")
				want(number(at(f.Properties, "EventInvokeConfig", "MaximumRetryAttempts")) > 0, "Lambda's limit to retries")
			default:
				t.Errorf("event %s of %s is a %v", id, f.ID, at(e, "Type"))
			}
			if len(missing) > 0 {
				t.Errorf("event %s of %s lacks %s", id, f.ID, strings.Join(missing, ", "))
			}
		}
	}
}

func number(v any) int {
	n, _ := v.(int)
	return n
}

// eventsOf are the events of one type, by function.
func eventsOf(t *testing.T, kind string) map[string]any {
	t.Helper()
	found := map[string]any{}
	for _, f := range functions(t) {
		events, _ := f.Properties["Events"].(map[string]any)
		for _, e := range events {
			if at(e, "Type") == kind {
				found[f.folder] = at(e, "Properties")
			}
		}
	}
	return found
}

// A schedule by rate begins when it is made, at any second, and each at another:
// its ticks, which are cut down to full minutes, would be up to a minute old when
// they come, and its calls could miss a minute of CloudWatch's and be twice in the
// next. One by cron is called within the minute that its time begins ("Schedule
// types in EventBridge Scheduler", EventBridge Scheduler User Guide).
func TestSchedulesAreOnTheMinute(t *testing.T) {
	schedules := eventsOf(t, "ScheduleV2")
	if len(schedules) != 3 {
		t.Errorf("%d schedules", len(schedules))
	}
	for name, p := range schedules {
		if got := at(p, "ScheduleExpression"); got != "cron(* * * * ? *)" {
			t.Errorf("%s is scheduled by %v", name, got)
		}
	}
}

// Of several batches of a shard at once Lambda keeps one item's records in order,
// not one partition key's ("Polling and batching streams" of DynamoDB, Lambda
// Developer Guide). Each observation of an incident is an item of its own, and what
// decide takes up behind a later one it drops: two healthy ticks with a failing
// one between them could end an incident. Deliver's order is in the ledger.
func TestObservationsOfAnIncidentAreDecidedInOrder(t *testing.T) {
	decide := eventsOf(t, "DynamoDB")["decide"]
	if n := number(at(decide, "ParallelizationFactor")); n > 1 {
		t.Errorf("decide takes %d batches of a shard at once", n)
	}
}

var literal = regexp.MustCompile(`"(RINGONCE_[A-Z_]+)"`)

// reads are the environment variables that a function's code reads: those that
// it names, and those behind what it calls of package setup.
func reads(t *testing.T, folder string) []string {
	t.Helper()
	behind := map[string][]string{
		"setup.Observations": {"RINGONCE_OBSERVATIONS_TABLE"}, "setup.Incidents": {"RINGONCE_INCIDENTS_TABLE"},
		"setup.Outbox": {"RINGONCE_OUTBOX_TABLE"}, "setup.Operations": {"RINGONCE_OPERATIONS_TABLE"},
		"setup.Main":          {"RINGONCE_CONFIG", "RINGONCE_LOG_LEVEL", "RINGONCE_STACK"},
		"channels.Deliverer(": {"RINGONCE_SES_CONFIGURATION_SET"},
		"secrets.PageLinks(":  {"RINGONCE_PAGE_SECRET", "RINGONCE_PAGE_URL", "RINGONCE_PAGE_DAYS"},
		"setup.PageSecretVar": {"RINGONCE_PAGE_SECRET"},
	}
	entries, err := os.ReadDir("../functions/" + folder)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		content, err := os.ReadFile("../functions/" + folder + "/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		for call, variables := range behind {
			if strings.Contains(string(content), call) {
				found = append(found, variables...)
			}
		}
		for _, m := range literal.FindAllStringSubmatch(string(content), -1) {
			found = append(found, m[1])
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func TestEveryVariableIsSetAndRead(t *testing.T) {
	for _, f := range functions(t) {
		var set []string
		variables, _ := at(f.Properties, "Environment", "Variables").(map[string]any)
		for name := range variables {
			set = append(set, name)
		}
		slices.Sort(set)
		if read := reads(t, f.folder); !slices.Equal(set, read) {
			t.Errorf("%s:\n sets  %v\n reads %v", f.ID, set, read)
		}
	}
}

// What SES is asked to tell is in events/receipts, an event of each type: for the
// handler's tests, and for whoever invokes the function by hand.
func TestEveryEventOfSESIsRecorded(t *testing.T) {
	files, err := filepath.Glob("../events/receipts/*.json")
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[string]bool{}
	for _, f := range files {
		var event struct {
			Detail struct{ EventType string }
		}
		if err := json.Unmarshal([]byte(read(t, f)), &event); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		recorded[strings.ToLower(strings.ReplaceAll(event.Detail.EventType, " ", ""))] = true
	}
	asked := described(t).Resources("AWS::SES::ConfigurationSetEventDestination")
	if len(asked) != 1 {
		t.Fatalf("SES tells %d destinations", len(asked))
	}
	types, _ := at(asked[0].Properties["EventDestination"], "MatchingEventTypes").([]any)
	for _, kind := range types {
		if !recorded[strings.ToLower(fmt.Sprint(kind))] {
			t.Errorf("no event of the type %v in events/receipts", kind)
		}
	}
	if len(types) < 4 {
		t.Errorf("SES is asked for %v", types)
	}
}

// events/env.json is for `sam local invoke --env-vars`, which takes no variable
// that the template does not set.
func TestTheVariablesForSamLocalAreTheTemplates(t *testing.T) {
	content, err := os.ReadFile("../events/env.json")
	if err != nil {
		t.Fatal(err)
	}
	var given map[string]map[string]string
	if err := json.Unmarshal(content, &given); err != nil {
		t.Fatal(err)
	}
	for _, f := range functions(t) {
		set, _ := at(f.Properties, "Environment", "Variables").(map[string]any)
		for name, value := range set {
			got, ok := given[f.ID][name]
			if !ok || (strings.HasSuffix(name, "_TABLE") && got != value) {
				t.Errorf("%s: %s is %q, the template has %v", f.ID, name, got, value)
			}
		}
		if len(given[f.ID]) != len(set) {
			t.Errorf("%s has %d variables, the template %d", f.ID, len(given[f.ID]), len(set))
		}
	}
}
