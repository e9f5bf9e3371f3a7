package explain_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestStatusSaysWhatWentWrongWhileTheNextPollRuns: a failing vendor keeps a poll running
// for most of its minute; the status shows the problem of the poll before.
func TestStatusSaysWhatWentWrongWhileTheNextPollRuns(t *testing.T) {
	store := memory.New()
	claim := func(minute int) observation.Run {
		t.Helper()
		run := observation.Run{
			Source: "one", Tick: at(minute), State: observation.RunRunning, Try: 1,
			Worker: "w", Started: at(minute), LeaseUntil: at(minute + 1),
		}
		if err := store.ClaimRun(t.Context(), run, at(minute)); err != nil {
			t.Fatal(err)
		}
		return run
	}
	bad := claim(0)
	bad.State, bad.Ended, bad.Problems = observation.RunFailed, at(0).Add(40*time.Second), []string{"page 1: the vendor wants to be left alone"}
	if err := store.FinishRun(t.Context(), bad); err != nil {
		t.Fatal(err)
	}
	claim(1)
	rep, err := (&explain.Explainer{Store: store, Config: newHistory(t, incident.DefaultPolicy()).config()}).Status(t.Context(), store, at(1).Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if s := rep.Sources[0]; s.State != string(observation.RunRunning) || s.Bad != 1 {
		t.Errorf("%+v", s)
	}
	if want := "source one: the last poll did not bring everything; page 1: the vendor wants to be left alone"; !slices.Contains(rep.Problems, want) {
		t.Errorf("it does not say %q: %q", want, rep.Problems)
	}
	var text strings.Builder
	if err := rep.WriteText(&text); err != nil || !strings.Contains(text.String(), "1 bad poll\n") {
		t.Errorf("%s%v", text.String(), err)
	}
}
