package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// scheduled is the time in events/sweep/scheduled.json; now is the wall clock,
// long after it.
var (
	scheduled = time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	now       = time.Date(2026, 1, 2, 6, 4, 5, 0, time.UTC)
)

// invoke calls the handler as Lambda does, with the schedule's event.
func invoke(t *testing.T, store *memory.Store, cfg *config.Config) error {
	t.Helper()
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	clock := func() time.Time { return now }
	h := handler{
		log,
		&deliver.Deliverer{
			Config: cfg, Ledger: store, Log: log,
			Now: clock, Token: func() string { return "w" }, Jitter: func() float64 { return 0 }, Lease: time.Minute,
		},
		&decide.Lapser{Evidence: store, Decider: &decide.Decider{
			Config: cfg, Store: store, Render: channels.Render, Log: log, Now: clock,
			Sleep: func(context.Context, time.Duration) error { return nil }, Jitter: func() float64 { return 0 },
		}},
	}
	payload, err := os.ReadFile("../../events/sweep/scheduled.json")
	if err != nil {
		t.Fatal(err)
	}
	_, err = lambda.NewHandler(h.handle).Invoke(t.Context(), payload)
	return err
}

// due is a store with one delivery that is due and one that is not.
func due(t *testing.T) *memory.Store {
	t.Helper()
	store := memory.New()
	for key, at := range map[string]time.Time{"k1/a": now.Add(-time.Second), "k1/b": now.Add(time.Second)} {
		d := delivery.Delivery{
			ID: delivery.ID("", key, 1, 1, "gone"), IncidentKey: key, Episode: 1, Sequence: 1, Action: incident.Open,
			Destination: "gone", State: delivery.Pending, DueAt: at, CreatedAt: now,
		}
		decision := incident.Decision{IncidentKey: key, Seq: 1, Action: incident.Open}
		if err := store.Commit(t.Context(), incident.State{Key: key, DecisionSeq: 1}, decision, []delivery.Delivery{d}); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

func TestAScheduledEventSweepsWhatIsDue(t *testing.T) {
	store := due(t)
	if err := invoke(t, store, &config.Config{}); err != nil {
		t.Fatal(err)
	}
	// The destination is not configured here, so what was taken was tried in vain.
	if tries := ledger(t, store); tries["k1/a"] != 1 || tries["k1/b"] != 0 {
		t.Errorf("tries after the sweep: %v", tries)
	}
}

// ledger counts the tries of each delivery.
func ledger(t *testing.T, store *memory.Store) map[string]int {
	t.Helper()
	tries := map[string]int{}
	err := store.Deliveries(t.Context(), func(d delivery.Delivery) error {
		tries[d.IncidentKey] = len(d.Attempts)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tries
}

// open is an incident of a source that is no longer configured, told of last at
// the given tick.
func open(t *testing.T, store *memory.Store, key string, last time.Time) {
	t.Helper()
	err := store.Save(t.Context(), incident.State{
		Key: key, Open: true, Episode: 1, Sequence: 1, LastFailing: last, OpenedAt: last, LastNotified: last,
		Source: "removed", Owner: "checkout", Told: []string{"slack"},
		Sources: map[string]incident.SourceVerdict{"removed": {Verdict: observation.Failing, Tick: last}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Case R7: what nobody speaks for ends by the scheduled time, looking a minute
// back, and not by the wall clock, which is three hours later here.
func TestAScheduledEventEndsWhatNobodySpeaksFor(t *testing.T) {
	store := memory.New()
	open(t, store, "k1/old", scheduled.Add(-61*time.Minute))
	open(t, store, "k1/young", scheduled.Add(-61*time.Minute+time.Second))
	cfg := &config.Config{Destinations: map[string]config.Destination{"slack": {ID: "slack", Channel: config.ChannelSlackWebhook}}}
	if err := invoke(t, store, cfg); err != nil {
		t.Fatal(err)
	}
	states, err := store.States(t.Context(), []string{"k1/old", "k1/young"})
	if err != nil || states["k1/old"].Open || !states["k1/young"].Open {
		t.Errorf("after the sweep: %+v, %v", states, err)
	}
	if told := store.InsertedDeliveries(0); len(told) != 1 || told[0].Action != incident.Resolve || told[0].Destination != "slack" {
		t.Errorf("told %+v", told)
	}
}

// One half of a sweep that fails does not keep the other from being done.
func TestTheHalvesOfASweepFailApart(t *testing.T) {
	for op, other := range map[string]func(*memory.Store) bool{
		"Due":        func(s *memory.Store) bool { return len(s.InsertedDeliveries(2)) == 1 },
		"ActiveKeys": func(s *memory.Store) bool { return ledger(t, s)["k1/a"] == 1 },
	} {
		store := due(t)
		open(t, store, "k1/old", scheduled.Add(-61*time.Minute))
		store.SetHook(func(_ context.Context, c memory.Call) error {
			if c.Op == op {
				return errors.New("the table cannot be reached")
			}
			return nil
		})
		cfg := &config.Config{Destinations: map[string]config.Destination{"slack": {ID: "slack", Channel: config.ChannelSlackWebhook}}}
		err := invoke(t, store, cfg)
		if err == nil || !strings.Contains(err.Error(), "the table cannot be reached") || !other(store) {
			t.Errorf("%s fails: %v", op, err)
		}
	}
}
