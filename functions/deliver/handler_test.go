package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/streamevent"
)

const (
	first = "4421584500000000017450439001"
	third = "4421584500000000017450439003"
)

var now = time.Date(2026, 1, 2, 3, 30, 0, 0, time.UTC)

// post counts what it is handed, and accepts it.
type post struct {
	mu   sync.Mutex
	sent []string
}

func (p *post) Send(_ context.Context, _ config.Destination, d delivery.Delivery) delivery.Outcome {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = append(p.sent, d.ID)
	return delivery.Outcome{Class: delivery.Accepted, Status: 200}
}

func newHandler(store *memory.Store, p *post, destinations ...string) handler {
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	cfg := &config.Config{Destinations: map[string]config.Destination{}}
	for _, id := range destinations {
		cfg.Destinations[id] = config.Destination{ID: id, Channel: config.ChannelSlackWebhook}
	}
	return handler{log, &deliver.Deliverer{
		Config: cfg, Ledger: store, Render: channels.Render, Log: log,
		Senders: map[string]deliver.Sender{config.ChannelSlackWebhook: p},
		Now:     func() time.Time { return now }, Token: func() string { return "worker" }, Jitter: func() float64 { return 0 },
		Lease: time.Minute, Recheck: time.Minute,
	}}
}

// committed puts the items that an event speaks of into a store, as the
// decisions did that made the event.
func committed(t *testing.T, event []byte) (*memory.Store, []string) {
	t.Helper()
	records, err := streamevent.Decode(event)
	if err != nil {
		t.Fatal(err)
	}
	store, version := memory.New(), map[string]int64{}
	var destinations []string
	for _, r := range records {
		due, err := dynamo.DueFromItem(r.NewImage)
		if err != nil {
			continue
		}
		d := delivery.Delivery{
			ID:          delivery.ID("", due.IncidentKey, due.Episode, due.Sequence, due.Destination),
			IncidentKey: due.IncidentKey, Episode: due.Episode, Sequence: due.Sequence, Action: due.Action,
			Destination: due.Destination, Channel: config.ChannelSlackWebhook,
			State: delivery.Pending, DueAt: now.Add(-time.Minute), CreatedAt: now,
		}
		seq := version[due.IncidentKey] + 1
		s := incident.State{Key: due.IncidentKey, Version: seq - 1, DecisionSeq: seq}
		decision := incident.Decision{IncidentKey: due.IncidentKey, Seq: seq, Action: due.Action}
		if err := store.Commit(t.Context(), s, decision, []delivery.Delivery{d}); err != nil {
			t.Fatal(err)
		}
		version[due.IncidentKey]++
		destinations = append(destinations, due.Destination)
	}
	return store, destinations
}

func event(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../../events/deliver/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func invoke(t *testing.T, h handler, event []byte) string {
	t.Helper()
	answer, err := lambda.NewHandler(h.handle).Invoke(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	var r events.DynamoDBEventResponse
	if err := json.Unmarshal(answer, &r); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, f := range r.BatchItemFailures {
		ids = append(ids, f.ItemIdentifier)
	}
	return strings.Join(ids, " ")
}

func TestABatchReplayedIsSentOnce(t *testing.T) {
	for _, name := range []string{"one.json", "many.json"} {
		data := event(t, name)
		store, destinations := committed(t, data)
		p := &post{}
		for range 3 {
			if failed := invoke(t, newHandler(store, p, destinations...), data); failed != "" {
				t.Errorf("%s: failed %s", name, failed)
			}
		}
		ids := map[string]int{}
		for _, id := range p.sent {
			ids[id]++
		}
		if len(p.sent) == 0 || len(ids) != len(p.sent) {
			t.Errorf("%s: case D9: sent %v", name, ids)
		}
	}
}

// The mapping's filter keeps these away; were it lost, they would send nothing.
func TestWhatIsNoInsertSendsNothing(t *testing.T) {
	for _, name := range []string{"modify.json", "ttl-remove.json"} {
		store, destinations := committed(t, event(t, "one.json"))
		p := &post{}
		if failed := invoke(t, newHandler(store, p, destinations...), event(t, name)); failed != "" || len(p.sent) != 0 {
			t.Errorf("%s: failed %q, sent %v", name, failed, p.sent)
		}
	}
}

func TestMalformedRecordsAreNamedAndTheirNeighbourIsSent(t *testing.T) {
	data := event(t, "malformed.json")
	store, destinations := committed(t, data)
	p := &post{}
	if failed := invoke(t, newHandler(store, p, destinations...), data); failed != first+" "+third {
		t.Errorf("failed %q, want the first and the third record", failed)
	}
	if len(p.sent) != 1 {
		t.Errorf("the neighbour between them was sent %d times", len(p.sent))
	}
}

func TestALedgerThatIsOutFailsTheRecords(t *testing.T) {
	data := event(t, "one.json")
	store, destinations := committed(t, data)
	store.SetHook(func(_ context.Context, c memory.Call) error {
		if c.Op == "Claim" {
			return errors.New("the table cannot be reached")
		}
		return nil
	})
	p := &post{}
	if failed := invoke(t, newHandler(store, p, destinations...), data); failed == "" || len(p.sent) != 0 {
		t.Errorf("failed %q and sent %d without a claim", failed, len(p.sent))
	}
}
