package progress

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// Decide tells how far it has come: to the newest tick whose key did not fail,
// and when it wrote messages, if it did.
func TestDecideLeavesBeats(t *testing.T) {
	store := memory.New()
	tick := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	now := tick.Add(2 * time.Second)
	p := New(store, func() time.Time { return now }, slog.New(slog.NewJSONHandler(io.Discard, nil)))
	ctx := p.Begin(t.Context())
	now = now.Add(3 * time.Second)
	telling := Telling{store, p}
	commit := func(key string, out ...delivery.Delivery) {
		t.Helper()
		if err := telling.Commit(ctx, incident.State{Key: key, DecisionSeq: 1}, incident.Decision{IncidentKey: key, Seq: 1, Tick: tick}, out); err != nil {
			t.Fatal(err)
		}
	}
	beats := func() map[string]observation.Beat {
		b, err := store.Beats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	commit("silent")
	if b := beats(); len(b) != 0 {
		t.Errorf("a decision that tells nobody left %v", b)
	}
	commit("told", delivery.Delivery{IncidentKey: "told", Destination: "slack"})
	p.Folded(ctx, []observation.Observation{
		{IncidentKey: "a", Tick: tick}, {IncidentKey: "bad", Tick: tick.Add(time.Minute)},
	}, map[string]error{"bad": errors.New("no")})
	b := beats()
	if !b[observation.BeatTold].At.Equal(tick.Add(2*time.Second)) || !b[observation.BeatTold].Tick.Equal(tick) {
		t.Errorf("told %+v, want the batch's beginning", b[observation.BeatTold])
	}
	if !b[observation.BeatDecide].Tick.Equal(tick) {
		t.Errorf("decided %+v", b[observation.BeatDecide])
	}
}

func TestATickIsNotedOnce(t *testing.T) {
	store, writes := memory.New(), 0
	store.SetHook(func(_ context.Context, c memory.Call) error {
		if c.Op == "PutBeat" && c.Phase == memory.After {
			writes++
		}
		return nil
	})
	tick := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	p := New(store, time.Now, slog.New(slog.NewJSONHandler(io.Discard, nil)))
	for _, tick := range []time.Time{tick, tick, tick.Add(-time.Minute), tick.Add(time.Minute)} {
		p.Folded(t.Context(), []observation.Observation{{IncidentKey: "a", Tick: tick}}, nil)
	}
	if writes != 2 {
		t.Errorf("%d writes for two ticks", writes)
	}
}
