package incident

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

func answering(since, last int) Answering {
	return Answering{Since: minute(since), Last: minute(last), Interval: time.Minute}
}

func heard(a map[string]Answering) Heard { return Heard{Answering: a} }

// Case R7: a key that is no longer reported resolves only if its sources were polled and
// answered.
func TestLapse(t *testing.T) {
	for _, c := range []struct {
		name   string
		events string
		tick   int
		heard  Heard
		want   string
	}{
		{
			"an hour of answers without the key", "F0 F1", 61,
			heard(map[string]Answering{"a": answering(-10, 61)}), "resolve lapsed last=2026-01-02T10:01:00Z",
		},
		{
			"not yet an hour", "F0 F1", 60,
			heard(map[string]Answering{"a": answering(-10, 60)}), "none evidence_recent next=2026-01-02T11:01:00Z",
		},
		{
			"the vendor is out", "F0 F1", 600,
			heard(map[string]Answering{"a": {Interval: time.Minute}}), "none source_not_answering source=a",
		},
		{
			"the vendor is back, but has not answered for an hour", "F0 F1", 600,
			heard(map[string]Answering{"a": answering(541, 600)}), "none evidence_recent next=2026-01-02T20:01:00Z",
		},
		{
			"nobody has asked the vendor lately", "F0 F1", 600,
			heard(map[string]Answering{"a": answering(-10, 597)}), "none source_not_answering source=a",
		},
		{
			"the last answer may be two intervals old", "F0 F1", 600,
			heard(map[string]Answering{"a": answering(-10, 598)}), "resolve lapsed last=2026-01-02T10:01:00Z",
		},
		{
			"one of two sources is out", "F0 b:F0", 600,
			heard(map[string]Answering{"a": answering(-10, 600), "b": {Interval: time.Minute}}), "none source_not_answering source=b",
		},
		{
			"a source that never spoke for the key does not matter", "F0", 600,
			heard(map[string]Answering{"a": answering(-10, 600), "other": {Interval: time.Minute}}), "resolve lapsed last=2026-01-02T10:00:00Z",
		},
		{
			"its only source is no longer configured", "F0", 60,
			heard(nil), "resolve lapsed last=2026-01-02T10:00:00Z",
		},
		{
			"the vendor lists it with a status that means nothing", "F0", 600,
			Heard{Answering: map[string]Answering{"a": answering(-10, 600)}, Observed: minute(599)},
			"none evidence_recent next=2026-01-02T20:59:00Z",
		},
		{
			"healthy, then silent", "F0 H1", 61,
			heard(map[string]Answering{"a": answering(-10, 61)}), "resolve lapsed last=2026-01-02T10:01:00Z",
		},
		{
			"nothing is open", "F0 H1 H2", 600,
			heard(nil), "none nothing_open",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, s := fold(t, DefaultPolicy(), c.events)
			next, a, r := Lapse(s, minute(c.tick), DefaultPolicy(), c.heard)
			if got := string(a) + " " + r.String(); got != c.want {
				t.Fatalf("got %q, want %q", got, c.want)
			}
			if a == Resolve && (next.Active() || next.Sequence != s.Sequence+1 || !next.ResolvedAt.Equal(minute(c.tick)) || !r.Missing()) {
				t.Errorf("the incident was not closed: %+v", next)
			}
		})
	}
}

func TestLapseOff(t *testing.T) {
	p := policy(func(p *Policy) { p.StaleAfter = 0 })
	_, s := fold(t, p, "F0")
	if _, a, r := Lapse(s, minute(100_000), p, Heard{}); a != None || r.Code != LapseOff {
		t.Errorf("got %s %s", a, r)
	}
}

// A streak that never opened and is no longer reported is reset without a message.
// Otherwise its key would be watched for ever.
func TestLapsedStreakIsForgotten(t *testing.T) {
	p := policy(func(p *Policy) { p.FailingRequired = 3 })
	_, s := fold(t, p, "F0 F1")
	s, a, r := Lapse(s, minute(61), p, heard(map[string]Answering{"a": answering(0, 61)}))
	if a != None || r.Code != Lapsed || s.Active() {
		t.Errorf("got %s %s, active %t", a, r, s.Active())
	}
	if _, a, r := Decide(s, observe(t, "F70"), p); a != None || r.N != 1 {
		t.Errorf("the next failure: got %s %s, want the first of a new streak", a, r)
	}
}

// An hourly source's verdict stays valid longer than the policy that sweep uses says.
func TestLapseHonoursEachSourcesOwnTime(t *testing.T) {
	s, _, _ := Decide(State{}, observe(t, "F0"), policy(func(p *Policy) { p.StaleAfter = 5 * time.Hour }))
	h := heard(map[string]Answering{"a": answering(0, 299)})
	if _, a, r := Lapse(s, minute(299), DefaultPolicy(), h); a != None {
		t.Errorf("got %s %s before the source's own time is over", a, r)
	}
	h = heard(map[string]Answering{"a": answering(0, 300)})
	if _, a, r := Lapse(s, minute(300), DefaultPolicy(), h); a != Resolve {
		t.Errorf("got %s %s, want resolve", a, r)
	}
}

func TestAnsweringFrom(t *testing.T) {
	run := func(m int, state observation.RunState) observation.Run {
		return observation.Run{Tick: minute(m), State: state}
	}
	const ok, failed, partial, running = observation.RunOK, observation.RunFailed, observation.RunPartial, observation.RunRunning
	for _, c := range []struct {
		name        string
		runs        []observation.Run
		since, last int
	}{
		{"all answered", []observation.Run{run(9, ok), run(8, ok), run(7, ok)}, 7, 9},
		{"the newest is still running", []observation.Run{run(9, running), run(8, ok), run(7, ok)}, 7, 8},
		{"an older one was lost", []observation.Run{run(9, ok), run(8, running), run(7, ok)}, 9, 9},
		{"one failed", []observation.Run{run(9, ok), run(8, ok), run(7, failed), run(6, ok)}, 8, 9},
		{"one was partial", []observation.Run{run(9, ok), run(8, partial), run(7, ok)}, 9, 9},
		{"nobody asked for a while", []observation.Run{run(9, ok), run(7, ok), run(4, ok)}, 7, 9},
		{"the newest failed", []observation.Run{run(9, failed), run(8, ok)}, -1, -1},
		{"never polled", nil, -1, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := Answering{Interval: time.Minute}
			if c.since >= 0 {
				want = answering(c.since, c.last)
			}
			if got := AnsweringFrom(c.runs, time.Minute); got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}
