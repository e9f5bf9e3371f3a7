package main

import (
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
)

func TestAScheduledEventSweepsWhatIsDue(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	store := memory.New()
	for key, due := range map[string]time.Time{"k1/a": now.Add(-time.Second), "k1/b": now.Add(time.Second)} {
		d := delivery.Delivery{
			ID: delivery.ID(key, 1, 1, "gone"), IncidentKey: key, Episode: 1, Sequence: 1, Action: incident.Open,
			Destination: "gone", State: delivery.Pending, DueAt: due, CreatedAt: now,
		}
		decision := incident.Decision{IncidentKey: key, Seq: 1, Action: incident.Open}
		if err := store.Commit(t.Context(), incident.State{Key: key, DecisionSeq: 1}, decision, []delivery.Delivery{d}); err != nil {
			t.Fatal(err)
		}
	}
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	h := handler{log, &deliver.Deliverer{
		Config: &config.Config{}, Ledger: store, Log: log,
		Now: func() time.Time { return now }, Token: func() string { return "w" }, Jitter: func() float64 { return 0 }, Lease: time.Minute,
	}}
	payload, err := os.ReadFile("../../events/sweep/scheduled.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lambda.NewHandler(h.handle).Invoke(t.Context(), payload); err != nil {
		t.Fatal(err)
	}
	// The destination is not configured any more, so what was taken is dead.
	states := map[string]delivery.State{}
	err = store.Deliveries(t.Context(), func(d delivery.Delivery) error {
		states[d.IncidentKey] = d.State
		return nil
	})
	if err != nil || states["k1/a"] != delivery.Dead || states["k1/b"] != delivery.Pending {
		t.Errorf("after the sweep: %v, %v", states, err)
	}
}
