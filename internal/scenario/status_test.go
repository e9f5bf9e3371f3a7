package scenario_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestStatusKnowsASourceThatWasNeverRead, even without the configuration: a status
// that says nothing needs a person would be wrong.
func TestStatusKnowsASourceThatWasNeverRead(t *testing.T) {
	v, mem := newVendor(), memory.New()
	r := newRig(t, mem, v)
	v.set("vendor", broken("HTTP 500"))
	for n := range 3 {
		r.tick(n)
	}
	rep, err := (&explain.Explainer{Store: mem}).Status(t.Context(), mem, r.now.Add(time.Second))
	if err != nil || len(rep.Sources) != 1 || rep.Sources[0].Source != "vendor" || !rep.Sources[0].Unreachable {
		t.Fatalf("sources %+v, %v", rep.Sources, err)
	}
	if !strings.Contains(strings.Join(rep.Problems, "\n"), "vendor") {
		t.Errorf("what needs a person: %q", rep.Problems)
	}
}

// TestStatusOfNothingIsNoGoodNews: without any stored poll, the status is a problem.
func TestStatusOfNothingIsNoGoodNews(t *testing.T) {
	mem := memory.New()
	rep, err := (&explain.Explainer{Store: mem}).Status(t.Context(), mem, noon)
	if err != nil || !slices.Equal(rep.Problems, []string{"no poll is stored: is poll's schedule on?"}) {
		t.Errorf("%+v, %v", rep, err)
	}
}

// TestStatusNamesWhatStoppedAndWhatRefuses: a function does not follow the one before
// it, and a destination refuses everything.
func TestStatusNamesWhatStoppedAndWhatRefuses(t *testing.T) {
	v, mem := newVendor(), memory.New()
	r := newRig(t, mem, v)
	r.inbox.Script(slackDest, inbox.Gone())
	r.play(v, "F")
	now := r.now.Add(time.Second)
	for _, part := range []string{observation.BeatDecide, observation.BeatTold, observation.BeatDeliver, observation.BeatSweep} {
		if err := mem.PutBeat(t.Context(), observation.Beat{Part: part, Tick: noon, At: now}); err != nil {
			t.Fatal(err)
		}
	}
	status := func(at time.Time) *explain.StatusReport {
		t.Helper()
		rep, err := (&explain.Explainer{Store: mem, Config: r.cfg}).Status(t.Context(), mem, at)
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	rep := status(now)
	said := strings.Join(rep.Problems, "\n")
	if len(rep.Parts) != 3 || !strings.Contains(said, "destination slack-payments has refused every message since 2026-03-01 12:00 UTC (no_service)") {
		t.Errorf("%+v", rep)
	}
	if strings.Contains(said, "see its log") {
		t.Errorf("all functions work, and it says %s", said)
	}
	// Two minutes later sweep has run, and the other functions are late.
	later := now.Add(2 * time.Minute)
	for part, tick := range map[string]time.Time{observation.BeatTold: noon, observation.BeatSweep: noon.Add(2 * time.Minute)} {
		if err := mem.PutBeat(t.Context(), observation.Beat{Part: part, Tick: tick, At: now.Add(time.Second)}); err != nil {
			t.Fatal(err)
		}
	}
	v.set("vendor", whole(item("card", observation.Failing)))
	if err := r.poller().Poll(t.Context(), noon.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	said = strings.Join(status(later.Add(time.Minute)).Problems, "\n")
	for _, want := range []string{
		"deliver has not seen the messages", "decide has not folded the observations of 2026-03-01 12:01 UTC", "sweep last ran at 2026-03-01 12:00 UTC",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
}

// TestStatusTellsAtOnceOfASecretThatCannotBeRead: with the reference, if it is known,
// and only while a message waits for it.
func TestStatusTellsAtOnceOfASecretThatCannotBeRead(t *testing.T) {
	v, mem := newVendor(), memory.New()
	r := newRig(t, mem, v)
	hook := os.Getenv("SCENARIO_WEBHOOK")
	if err := os.Unsetenv("SCENARIO_WEBHOOK"); err != nil {
		t.Fatal(err)
	}
	r.play(v, "F")
	for name, want := range map[string]string{
		"by the configuration": "store env:SCENARIO_WEBHOOK where the functions can read it", "without it": "store its secrets where the functions can read it",
	} {
		x := &explain.Explainer{Store: mem}
		if name == "by the configuration" {
			x.Config = r.cfg
		}
		rep, err := x.Status(t.Context(), mem, r.now.Add(time.Second))
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(rep.Problems, "\n")
		if !strings.Contains(said, "destination slack-payments: 1 message waiting: a secret of it could not be read at 2026-03-01 12:00 UTC; "+want) ||
			strings.Contains(said, mailDest) {
			t.Errorf("%s: %s", name, said)
		}
		var text strings.Builder
		if err := rep.WriteText(&text); err != nil || !strings.Contains(text.String(), "the oldest was answered temporary secret_unavailable") {
			t.Errorf("%s: %v\n%s", name, err, &text)
		}
	}
	t.Setenv("SCENARIO_WEBHOOK", hook)
	r.play(v, "FF")
	rep, err := (&explain.Explainer{Store: mem}).Status(t.Context(), mem, r.now.Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range rep.Destinations {
		if d.Waiting > 0 || d.Answer != "" {
			t.Errorf("it can be read again, and %+v", d)
		}
	}
	if said := strings.Join(rep.Problems, "\n"); strings.Contains(said, "secret") {
		t.Errorf("it can be read again, and it says %s", said)
	}
}
