package incident

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// start is tick 0 of every time line; ticks are a minute apart.
var start = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

func minute(n int) time.Time { return start.Add(time.Duration(n) * time.Minute) }

var letters = map[string]observation.Verdict{
	"F": observation.Failing, "H": observation.Healthy, "U": observation.Unknown, "M": observation.Healthy,
}

// observe reads one event of a time line: F3 is failing at minute 3, b:H4 is
// healthy from source b, M5 is missing from a complete listing.
func observe(t *testing.T, event string) observation.Observation {
	t.Helper()
	source, what, named := strings.Cut(event, ":")
	if !named {
		source, what = "a", event
	}
	verdict, ok := letters[what[:1]]
	if !ok {
		t.Fatalf("event %q: no such verdict", event)
	}
	var n int
	if _, err := fmt.Sscanf(what[1:], "%d", &n); err != nil {
		t.Fatalf("event %q: %v", event, err)
	}
	return observation.Observation{
		IncidentKey: "k1/test/part=x", Source: source, Tick: minute(n), Verdict: verdict,
		Missing: what[0] == 'M', Summary: "it broke", Owner: "team",
	}
}

// fold runs a time line and returns the result of each event, such as "F3 open
// failing_streak 1/1", and the last state.
func fold(t *testing.T, p Policy, events string) ([]string, State) {
	t.Helper()
	s := State{Key: "k1/test/part=x"}
	var log []string
	for event := range strings.FieldsSeq(events) {
		var a Action
		var r Reason
		s, a, r = Decide(s, observe(t, event), p)
		log = append(log, fmt.Sprintf("%s %s %s", event, a, r))
	}
	return log, s
}

// acts returns the events with an action: "F0 open".
func acts(log []string) []string {
	var out []string
	for _, line := range log {
		f := strings.Fields(line)
		if f[1] != string(None) {
			out = append(out, f[0]+" "+f[1])
		}
	}
	return out
}

// run expands one letter per minute into a time line: run("FFH") is F0 F1 H2.
func run(verdicts string) string { return runFrom(0, verdicts) }

func runFrom(from int, verdicts string) string {
	var b strings.Builder
	for i, v := range strings.ReplaceAll(verdicts, " ", "") {
		fmt.Fprintf(&b, "%c%d ", v, from+i)
	}
	return b.String()
}

func wantActs(t *testing.T, log []string, want ...string) {
	t.Helper()
	if got := acts(log); !slices.Equal(got, want) {
		t.Errorf("actions: got %q, want %q\n%s", got, want, strings.Join(log, "\n"))
	}
}

func wantLine(t *testing.T, log []string, want string) {
	t.Helper()
	if !slices.Contains(log, want) {
		t.Errorf("no line %q in\n%s", want, strings.Join(log, "\n"))
	}
}

func policy(change func(*Policy)) Policy {
	p := DefaultPolicy()
	if change != nil {
		change(&p)
	}
	return p
}
