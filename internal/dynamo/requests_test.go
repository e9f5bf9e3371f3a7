package dynamo_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

var now = time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)

func noWait(int, error) (time.Duration, error) { return 0, nil }

func pending(key, destination string) delivery.Delivery {
	return delivery.Delivery{
		ID: delivery.ID("", key, 1, 1, destination), IncidentKey: key, Episode: 1, Sequence: 1,
		Action: incident.Open, Destination: destination, Channel: "slack_webhook",
		State: delivery.Pending, CreatedAt: now, DueAt: now, Payload: []byte("{}"),
	}
}

func open(key string) (incident.State, incident.Decision) {
	return incident.State{Key: key, Open: true, Episode: 1, DecisionSeq: 1},
		incident.Decision{IncidentKey: key, Seq: 1, Episode: 1, Sequence: 1, Action: incident.Open}
}

// TestRequests holds how many requests each operation costs. An unchanged
// failing key is PutObservation, States and Save: two writes and a share of a
// read.
func TestRequests(t *testing.T) {
	s, p := behindProxy(t, 1)
	ctx := t.Context()
	keys := make([]string, 100)
	for i := range keys {
		keys[i] = fmt.Sprint("k", i)
	}
	state, decision := open("k")
	item := pending("k", "slack")
	run := observation.Run{Source: "sentry", Tick: now, State: observation.RunOK, Worker: "w", LeaseUntil: now.Add(time.Minute)}
	var held delivery.Delivery
	for _, c := range []struct {
		name string
		do   func() error
		want map[string]int
	}{
		{"ClaimRun", func() error { return s.ClaimRun(ctx, run, now) }, map[string]int{"PutItem": 1}},
		{"FinishRun", func() error { return s.FinishRun(ctx, run) }, map[string]int{"PutItem": 1}},
		{"ReleaseRun", func() error { return s.ReleaseRun(ctx, run) }, map[string]int{"DeleteItem": 1}},
		{"Runs", func() error { _, err := s.Runs(ctx, "sentry", 9); return err }, map[string]int{"Query": 1}},
		{"PutObservation", func() error {
			_, err := s.PutObservation(ctx, observation.Observation{IncidentKey: "k", Source: "sentry", Tick: now}, now)
			return err
		}, map[string]int{"PutItem": 1}},
		{"States of 100", func() error { _, err := s.States(ctx, keys); return err }, map[string]int{"BatchGetItem": 1}},
		{"Commit", func() error { return s.Commit(ctx, state, decision, []delivery.Delivery{item, pending("k", "mail")}) }, map[string]int{"TransactWriteItems": 1}},
		{"Save", func() error { return s.Save(ctx, incident.State{Key: "k", Version: 1}) }, map[string]int{"PutItem": 1}},
		{"ActiveKeys", func() error { _, err := s.ActiveKeys(ctx); return err }, map[string]int{"Query": 4}},
		{"Claim", func() (err error) {
			held, err = s.Claim(ctx, item.Ref(), "w", now, now.Add(time.Minute))
			return err
		}, map[string]int{"UpdateItem": 1}},
		{"Settle", func() error { return settle(ctx, s, held) }, map[string]int{"TransactWriteItems": 1}},
		{"Postpone", func() error { return s.Postpone(ctx, item.Ref(), now) }, map[string]int{"UpdateItem": 1}},
		{"Supersede", func() error { return s.Supersede(ctx, item.Ref(), "x") }, map[string]int{"UpdateItem": 1}},
		{"Episode", func() error { _, err := s.Episode(ctx, "k", 1); return err }, map[string]int{"Query": 1}},
		{"Due", func() error { _, err := s.Due(ctx, now, 9); return err }, map[string]int{"Query": 4}},
		{"Gate", func() error { _, err := s.Gate(ctx, "slack"); return err }, map[string]int{"GetItem": 1}},
		{"CloseGate", func() error { return s.CloseGate(ctx, "slack", now) }, map[string]int{"UpdateItem": 1}},
		{"Silences", func() error { _, err := s.Silences(ctx); return err }, map[string]int{"Query": 1}},
		{"Usage of a day", func() error { _, err := s.Usage(ctx, now, now); return err }, map[string]int{"Query": 1}},
	} {
		p.count()
		if err := c.do(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := p.count(); !maps.Equal(got, c.want) {
			t.Errorf("%s takes %v, want %v", c.name, got, c.want)
		}
	}
}

// TestStrongReads: what a decision or a send builds on is read as it was last
// written. The engine always answers so; AWS only when asked.
func TestStrongReads(t *testing.T) {
	s, p := behindProxy(t, 1)
	ctx := t.Context()
	nothing := func(observation.Observation) error { return nil }
	for name, read := range map[string]func() error{
		"States":       func() error { _, err := s.States(ctx, []string{"k"}); return err },
		"Episode":      func() error { _, err := s.Episode(ctx, "k", 1); return err },
		"Gate":         func() error { _, err := s.Gate(ctx, "slack"); return err },
		"Decisions":    func() error { _, err := s.Decisions(ctx, "k"); return err },
		"Runs":         func() error { _, err := s.Runs(ctx, "sentry", 1); return err },
		"Silences":     func() error { _, err := s.Silences(ctx); return err },
		"Usage":        func() error { _, err := s.Usage(ctx, now, now); return err },
		"Observations": func() error { return s.Observations(ctx, "k", now, now, nothing) },
	} {
		p.bodies = nil
		if err := read(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(p.bodies) != 1 || !strings.Contains(p.bodies[0], `"ConsistentRead":true`) {
			t.Errorf("%s asks %v, want a strongly consistent read", name, p.bodies)
		}
	}
}

// settle settles a claimed item as delivered.
func settle(ctx context.Context, s *dynamo.Store, held delivery.Delivery) error {
	held.State = delivery.Delivered
	return s.Settle(ctx, held, delivery.Usage{Day: "2026-03-14", Attempted: 1, Delivered: 1, DeliveryID: held.ID})
}
