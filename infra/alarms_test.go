package infra_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/emf"
	"github.com/ringonce/ringonce/internal/local/template"
)

// ofAWS are the metrics that AWS itself gives, by namespace.
var ofAWS = map[string][]string{
	"AWS/Lambda":   {"Errors", "Throttles", "IteratorAge", "Invocations"},
	"AWS/SQS":      {"ApproximateNumberOfMessagesVisible"},
	"AWS/DynamoDB": {"ConsumedWriteCapacityUnits"},
	"AWS/SES":      {"Reputation.BounceRate"},
}

// shown is a metric that an alarm or a widget shows.
type shown struct {
	by, namespace, name string
	// dimensions are their names.
	dimensions []string
}

func alarms(t *testing.T) []template.Resource {
	t.Helper()
	return described(t).Resources("AWS::CloudWatch::Alarm")
}

func alarmed(t *testing.T) []shown {
	t.Helper()
	var all []shown
	for _, a := range alarms(t) {
		s := shown{by: a.ID, namespace: fmt.Sprint(a.Properties["Namespace"]), name: fmt.Sprint(a.Properties["MetricName"])}
		dimensions, _ := a.Properties["Dimensions"].([]any)
		for _, d := range dimensions {
			s.dimensions = append(s.dimensions, fmt.Sprint(at(d, "Name")))
		}
		all = append(all, s)
	}
	return all
}

// Every alarm and widget shows a metric that there is, by dimensions that it has.
func TestEveryAlarmAndWidgetShowsAMetricThatThereIs(t *testing.T) {
	for _, s := range append(alarmed(t), drawn(t)...) {
		if s.namespace != emf.Namespace {
			if !slices.Contains(ofAWS[s.namespace], s.name) {
				t.Errorf("%s shows %s of %s", s.by, s.name, s.namespace)
			}
			continue
		}
		m, ok := emf.Metrics[emf.Name(s.name)]
		if !ok {
			t.Errorf("%s shows %s, which nobody emits", s.by, s.name)
		}
		if len(s.dimensions) == 0 || s.dimensions[0] != emf.Stack {
			t.Errorf("%s shows %s of every stack", s.by, s.name)
			continue
		}
		if by := s.dimensions[1:]; len(by) > 1 || (len(by) == 1 && !slices.Contains(m.By, by[0])) {
			t.Errorf("%s shows %s by %v", s.by, s.name, by)
		}
	}
}

func TestEveryMetricIsShownAndEmitted(t *testing.T) {
	all := map[string]bool{}
	for _, s := range append(alarmed(t), drawn(t)...) {
		all[s.name] = true
	}
	var code strings.Builder
	for _, path := range []string{"../internal/emf/counters.go", "../functions/heartbeat/handler.go"} {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(content)
	}
	for _, name := range slices.Sorted(maps.Keys(emf.Metrics)) {
		if !all[string(name)] {
			t.Errorf("no alarm and no widget shows %s", name)
		}
		if !regexp.MustCompile(`\b` + string(name) + `(,|:)`).MatchString(code.String()) {
			t.Errorf("nobody emits %s", name)
		}
	}
}

// What the metrics are counted from must be logged by somebody: each word that
// the counters look for is one that a use case or a function writes.
func TestWhatIsCountedIsLogged(t *testing.T) {
	counters, err := os.ReadFile("../internal/emf/counters.go")
	if err != nil {
		t.Fatal(err)
	}
	code := logging(t)
	words := regexp.MustCompile(`"([a-z_]+)"`).FindAllStringSubmatch(string(counters), -1)
	if len(words) < 10 {
		t.Fatalf("only %d words were seen", len(words))
	}
	for _, w := range words {
		if !strings.Contains(code, w[0]) {
			t.Errorf("nobody logs %s", w[0])
		}
	}
}

// logging is the code that logs what is counted.
func logging(t *testing.T) string {
	t.Helper()
	var code strings.Builder
	for _, tree := range []string{"poll", "decide", "deliver", "setup"} {
		files, err := filepath.Glob("../internal/" + tree + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", tree, err)
		}
		handlers, _ := filepath.Glob("../functions/*/handler.go") // the pattern is well-formed
		for _, f := range append(files, handlers...) {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			content, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			code.Write(content)
		}
	}
	return code.String()
}

func TestEveryAlarmSaysWhatToDoAndReachesSomebody(t *testing.T) {
	composite, ok := described(t).Resource("AttentionAlarm")
	if !ok {
		t.Fatal("there is no composite")
	}
	rule, err := json.Marshal(composite.Properties["AlarmRule"])
	if err != nil {
		t.Fatal(err)
	}
	topic := fmt.Sprint([]any{template.Reference{Resource: "AlarmTopic"}})
	for _, a := range append(alarms(t), composite) {
		about := strings.TrimSpace(fmt.Sprint(a.Properties["AlarmDescription"]))
		if _, do, ok := strings.Cut(about, " Do: "); !ok || len(do) < 40 || len(about) > 1024 {
			t.Errorf("%s says %q", a.ID, about)
		}
		joined := strings.Contains(string(rule), "${"+a.ID+"}")
		alone := fmt.Sprint(a.Properties["AlarmActions"]) == topic
		if joined == alone {
			t.Errorf("%s tells somebody itself: %v, through the composite: %v; want one of them", a.ID, alone, joined)
		}
	}
	if composite.Properties["ActionsSuppressor"] != (template.Reference{Resource: "HeartbeatAlarm"}) {
		t.Errorf("the composite also rings while the heartbeat does")
	}
}

// What a stranger can set off must not join the composite, which tells nothing
// else while it is in ALARM: a public address is throttled by whoever asks often.
func TestAStrangerCannotKeepOtherAlarmsFromRinging(t *testing.T) {
	composite, _ := described(t).Resource("AttentionAlarm")
	rule := fmt.Sprint(composite.Properties["AlarmRule"])
	public := 0
	for _, f := range functions(t) {
		if at(f.Properties, "FunctionUrlConfig") == nil {
			continue
		}
		public++
		if id := strings.TrimSuffix(f.ID, "Function") + "ThrottlesAlarm"; strings.Contains(rule, id) {
			t.Errorf("%s joins the composite", id)
		}
	}
	if public != 1 {
		t.Errorf("%d functions are public", public)
	}
}

// Where an alarm sends a person must be there: the section of the README, the
// command.
func TestAlarmsSendPeopleWhereSomethingIs(t *testing.T) {
	var said strings.Builder
	for _, a := range alarms(t) {
		fmt.Fprintln(&said, a.Properties["AlarmDescription"])
	}
	for _, path := range []string{"../internal/heartbeat/messages.go", "../internal/heartbeat/polls.go"} {
		said.WriteString(read(t, path))
	}
	about, commands := read(t, readme), ""
	files, _ := filepath.Glob("../internal/cmd/ringonce/*.go") // the pattern is well-formed
	for _, f := range files {
		commands += read(t, f)
	}
	sections := regexp.MustCompile(`README(?: has the rest, under|,) ([A-Z][a-z ]+)`).FindAllStringSubmatch(said.String(), -1)
	named := regexp.MustCompile("`ringonce ([a-z]+)`").FindAllStringSubmatch(said.String(), -1)
	if len(sections) < 2 || len(named) < 2 {
		t.Fatalf("only %d sections and %d commands were seen", len(sections), len(named))
	}
	for _, m := range sections {
		if !regexp.MustCompile(`(?m)^#+ ` + m[1] + `$`).MatchString(about) {
			t.Errorf("the README has no section %q", m[1])
		}
	}
	for _, m := range named {
		if !regexp.MustCompile(`name: +"` + m[1] + `"`).MatchString(commands) {
			t.Errorf("there is no command ringonce %s", m[1])
		}
	}
}

// advice is the README's table of alarms: a pattern for their names without the
// stack's, and what to do.
func advice(t *testing.T) map[string]string {
	t.Helper()
	_, table, _ := strings.Cut(read(t, readme), "| alarm | do |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := map[string]string{}
	for _, row := range strings.Split(table, "\n") {
		cells := strings.SplitN(strings.Trim(row, "| "), " | ", 2)
		if len(cells) != 2 {
			t.Fatalf("the README's table of alarms has the row %q", row)
		}
		names := strings.Split(cells[0], ", ")
		_, end, _ := strings.Cut(names[len(names)-1], "-")
		for _, name := range names {
			if strings.HasSuffix(name, "-") { // "decide-, deliver-iterator-age"
				name += end
			}
			rows["^"+strings.Replace(name, "*function*", "[a-z]+", 1)+"$"] = cells[1]
		}
	}
	return rows
}

// The README has what every alarm's description says as a table, and sends to the
// same commands.
func TestTheReadmeSaysWhatEveryAlarmSays(t *testing.T) {
	command := regexp.MustCompile("`ringonce ([a-z]+( --[a-z]+)?)")
	commands := func(text string) []string {
		var all []string
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			all = append(all, m[1])
		}
		return all
	}
	rows := advice(t)
	used := map[string]bool{}
	for _, a := range alarms(t) {
		name := strings.TrimPrefix(fmt.Sprint(a.Properties["AlarmName"]), "ringonce-")
		for pattern, do := range rows {
			if !regexp.MustCompile(pattern).MatchString(name) {
				continue
			}
			used[pattern], used[name] = true, true
			if said, want := commands(fmt.Sprint(a.Properties["AlarmDescription"])), commands(do); !slices.Equal(said, want) {
				t.Errorf("%s sends to the commands %q, the README to %q", name, said, want)
			}
		}
		if !used[name] {
			t.Errorf("the README does not say what to do about %s", name)
		}
	}
	for pattern := range rows {
		if !used[pattern] {
			t.Errorf("the README tells of an alarm %s, which there is not", pattern)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// The alarm for a watcher that stopped must not take silence for health. SES gives
// its rates now and then, and what it last gave holds. The others wait for
// something that happens.
func TestOnlyTheHeartbeatsSilenceIsAnAlarm(t *testing.T) {
	for _, a := range alarms(t) {
		want := "notBreaching"
		switch a.ID {
		case "HeartbeatAlarm":
			want = "breaching"
		case "SesBouncesAlarm":
			want = "ignore"
		}
		if a.Properties["TreatMissingData"] != want {
			t.Errorf("%s takes missing data as %v", a.ID, a.Properties["TreatMissingData"])
		}
	}
}

// The alarm that takes silence for bad is there before the first heartbeat can be.
// CloudWatch waits for data while an alarm warms up, and no longer than it must
// ("Alarm warm-up periods", CloudWatch User Guide).
func TestAFirstDeploymentDoesNotRing(t *testing.T) {
	for _, a := range alarms(t) {
		if a.Properties["TreatMissingData"] != "breaching" {
			continue
		}
		warm := a.Properties["WarmUpConfiguration"]
		if n := number(at(warm, "WarmUpPeriodDurationInMinutes")); n < 10 || n > 30 {
			t.Errorf("%s waits %d minutes for its first data", a.ID, n)
		}
		if at(warm, "OnlyStartEvaluatingAfterWarmUpPeriodEnds") != nil {
			t.Errorf("%s waits longer than it must", a.ID)
		}
	}
}

func TestEveryFunctionsErrorsAndThrottlesRing(t *testing.T) {
	s := described(t)
	for _, f := range functions(t) {
		kinds := []string{"Errors", "Throttles"}
		if strings.Contains(fmt.Sprint(f.Properties["Events"]), "StreamArn") {
			kinds = append(kinds, "IteratorAge")
		}
		for _, kind := range kinds {
			id := strings.TrimSuffix(f.ID, "Function") + strings.TrimSuffix(kind, "Age") + "Alarm"
			a, ok := s.Resource(id)
			if !ok || a.Properties["MetricName"] != kind || !strings.Contains(fmt.Sprint(a.Properties["Dimensions"]), "ringonce-"+f.folder) {
				t.Errorf("%s of %s: %v", kind, f.folder, a.Properties)
			}
		}
	}
}
