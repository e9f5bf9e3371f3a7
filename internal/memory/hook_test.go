package memory_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

var (
	errFault = errors.New("fault")
	tick     = time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)
)

// failing is a hook that fails one operation in one phase.
func failing(op string, phase memory.Phase) memory.Hook {
	return func(_ context.Context, c memory.Call) error {
		if c.Op == op && c.Phase == phase {
			return errFault
		}
		return nil
	}
}

func TestFaults(t *testing.T) {
	for phase, version := range map[memory.Phase]int64{memory.Before: 0, memory.After: 1} {
		s := memory.New()
		s.SetHook(failing("Save", phase))
		if err := s.Save(t.Context(), incident.State{Key: "k"}); !errors.Is(err, errFault) {
			t.Errorf("%s: error is %v, want the hook's", phase, err)
		}
		states, err := s.States(t.Context(), []string{"k"})
		if err != nil || states["k"].Version != version {
			t.Errorf("%s: version %d, error %v, want %d", phase, states["k"].Version, err, version)
		}
	}
}

func TestHookSeesCalls(t *testing.T) {
	s := memory.New()
	var calls []memory.Call
	s.SetHook(func(ctx context.Context, c memory.Call) error {
		calls = append(calls, c)
		if c.Op == "Gate" && c.Phase == memory.Before {
			// No lock is held: a hook may act on the store.
			s.SetHook(nil)
			return s.CloseGate(ctx, c.Subject, tick)
		}
		return nil
	})
	if err := s.Supersede(t.Context(), delivery.Ref{IncidentKey: "k"}, ""); err != nil {
		t.Fatal(err)
	}
	gate, err := s.Gate(t.Context(), "slack")
	if err != nil || !gate.ClosedUntil.Equal(tick) {
		t.Errorf("gate %+v, error %v, want what the hook did first", gate, err)
	}
	want := []memory.Call{
		{Op: "Supersede", Phase: memory.Before, Subject: "k"},
		{Op: "Supersede", Phase: memory.After, Subject: "k"},
		{Op: "Gate", Phase: memory.Before, Subject: "slack"},
	}
	if !slices.Equal(calls, want) {
		t.Errorf("calls are %v, want %v", calls, want)
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := memory.New()
	if err := s.Save(ctx, incident.State{Key: "k"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want the context's", err)
	}
}

func TestFeeds(t *testing.T) {
	s := memory.New()
	ctx := t.Context()
	for _, source := range []string{"b", "a", "b"} {
		o := observation.Observation{IncidentKey: "k", Source: source, Tick: tick, Verdict: observation.Failing}
		if _, err := s.PutObservation(ctx, o, tick); err != nil {
			t.Fatal(err)
		}
	}
	var sources []string
	for _, o := range s.InsertedObservations(0) {
		sources = append(sources, o.Source)
	}
	if !slices.Equal(sources, []string{"b", "a"}) {
		t.Errorf("observations of %v, want those that were new, in the order written", sources)
	}
	if rest := s.InsertedObservations(1); len(rest) != 1 || rest[0].Source != "a" {
		t.Errorf("from 1: %v", rest)
	}
	if rest := s.InsertedObservations(9); len(rest) != 0 {
		t.Errorf("past the end: %v", rest)
	}

	d := delivery.Delivery{IncidentKey: "k", Episode: 1, Sequence: 1, Action: incident.Open, Destination: "slack", State: delivery.Pending, DueAt: tick}
	for version := range int64(2) {
		if err := s.Commit(ctx, incident.State{Key: "k", Version: version}, incident.Decision{IncidentKey: "k", Seq: version}, []delivery.Delivery{d}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Claim(ctx, d.Ref(), "w", tick, tick.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if got := s.InsertedDeliveries(0); !slices.Equal(got, []delivery.Due{d.Due()}) {
		t.Errorf("deliveries %v, want the one insert, as it was inserted", got)
	}
}
