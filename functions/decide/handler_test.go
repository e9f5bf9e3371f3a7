package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
)

const (
	first  = "4421584500000000017450439001"
	second = "4421584500000000017450439002"
	third  = "4421584500000000017450439003"
)

func configuration(sources ...string) *config.Config {
	p := incident.DefaultPolicy()
	c := &config.Config{
		Environment: "test",
		Owners:      map[string]config.Owner{"checkout": {ID: "checkout", CostCenter: "CC-1", Destinations: []string{"slack"}}},
		Destinations: map[string]config.Destination{
			"slack": {ID: "slack", Channel: config.ChannelSlackWebhook},
		},
	}
	for _, id := range sources {
		c.Sources = append(c.Sources, config.Source{ID: id, Owner: "checkout", Interval: time.Minute, Policy: p})
	}
	return c
}

// invoke calls the handler as Lambda does, with an event's bytes, and returns
// its answer and what it logged.
func invoke(t *testing.T, store *memory.Store, event []byte) (events.DynamoDBEventResponse, string, error) {
	t.Helper()
	var logged bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&logged, nil))
	h := handler{log: log, decider: &decide.Decider{
		Config: configuration(sourcesOf(t, event)...), Store: store, Render: channels.Render, Log: log,
		Now:    func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
		Sleep:  func(context.Context, time.Duration) error { return nil },
		Jitter: func() float64 { return 0 },
	}}
	answer, err := lambda.NewHandler(h.handle).Invoke(t.Context(), event)
	var response events.DynamoDBEventResponse
	if err == nil {
		if jerr := json.Unmarshal(answer, &response); jerr != nil {
			t.Fatalf("the answer %s: %v", answer, jerr)
		}
	}
	return response, logged.String(), err
}

// sourcesOf configures the sources that an event speaks of.
func sourcesOf(t *testing.T, event []byte) []string {
	t.Helper()
	seen := map[string]bool{}
	var in struct {
		Records []struct {
			DynamoDB struct{ NewImage map[string]any } `json:"dynamodb"`
		}
	}
	// An event that is none configures nothing.
	_ = json.Unmarshal(event, &in)
	var out []string
	for _, r := range in.Records {
		attribute, _ := r.DynamoDB.NewImage["source"].(map[string]any)
		if id, ok := attribute["S"].(string); ok && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

func event(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../../events/decide/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func failed(r events.DynamoDBEventResponse) string {
	var ids []string
	for _, f := range r.BatchItemFailures {
		ids = append(ids, f.ItemIdentifier)
	}
	return strings.Join(ids, " ")
}

func TestOneRecordOpensAnIncident(t *testing.T) {
	store := memory.New()
	for range 3 { // a record that is delivered again is decided once
		r, _, err := invoke(t, store, event(t, "one.json"))
		if err != nil || failed(r) != "" {
			t.Fatalf("failed %q, %v", failed(r), err)
		}
	}
	if due := store.InsertedDeliveries(0); len(due) != 1 || due[0].Action != incident.Open {
		t.Errorf("wrote %+v", due)
	}
}

func TestABatchIsFoldedByKey(t *testing.T) {
	store := memory.New()
	r, _, err := invoke(t, store, event(t, "many.json"))
	if err != nil || failed(r) != "" {
		t.Fatalf("failed %q, %v", failed(r), err)
	}
	if due := store.InsertedDeliveries(0); len(due) == 0 {
		t.Error("a batch of failing observations told nobody")
	}
}

func TestOnlyNewRowsAreDecidedOn(t *testing.T) {
	for _, name := range []string{"modify.json", "ttl-remove.json"} {
		store := memory.New()
		r, _, err := invoke(t, store, event(t, name))
		if err != nil || failed(r) != "" || len(store.InsertedDeliveries(0)) != 0 {
			t.Errorf("%s: failed %q, wrote %v, %v", name, failed(r), store.InsertedDeliveries(0), err)
		}
	}
}

func TestMalformedRecordsAreNamedAndTheirNeighbourIsDone(t *testing.T) {
	store := memory.New()
	r, logged, err := invoke(t, store, event(t, "malformed.json"))
	if err != nil {
		t.Fatal(err)
	}
	if want := first + " " + third; failed(r) != want {
		t.Errorf("failed %q, want %q", failed(r), want)
	}
	states, err := store.States(t.Context(), []string{"k1/error/monitor=88120"})
	if err != nil || len(states) != 1 {
		t.Errorf("the neighbour between them was not decided on: %v, %v", states, err)
	}
	for _, sequence := range []string{first, third} {
		if !strings.Contains(logged, sequence) {
			t.Errorf("the log does not name record %s:\n%s", sequence, logged)
		}
	}
}

func TestAStoreThatIsOutFailsEveryRecordInOrder(t *testing.T) {
	store := memory.New()
	out := errors.New("the table cannot be reached")
	store.SetHook(func(_ context.Context, c memory.Call) error {
		if c.Op == "States" {
			return out
		}
		return nil
	})
	r, _, err := invoke(t, store, event(t, "many.json"))
	if err != nil || !strings.HasPrefix(failed(r), first+" "+second+" "+third) {
		t.Errorf("failed %q, %v", failed(r), err)
	}
	store.SetHook(nil)
	if r, _, err = invoke(t, store, event(t, "many.json")); err != nil || failed(r) != "" || len(store.InsertedDeliveries(0)) == 0 {
		t.Errorf("afterwards: failed %q, %v", failed(r), err)
	}
}

func TestAnEventOfAnotherKindIsAnError(t *testing.T) {
	for _, payload := range []string{`{}`, `{"scheduled_time":"2026-01-02T03:04:00Z"}`, `{"Records":{}}`, `7`} {
		if _, _, err := invoke(t, memory.New(), []byte(payload)); err == nil {
			t.Errorf("%s was taken for a stream's event", payload)
		}
	}
}
