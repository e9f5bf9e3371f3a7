package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/pages"
	"github.com/ringonce/ringonce/internal/silence"
)

const (
	host = "https://pages.example.com"
	key  = "k1/error/issue=42"
	// secret is also what `make invoke-all` gives the function, so that the
	// recorded events verify there too.
	secret = "https://127.0.0.1:9/none"
)

var noon = time.Date(2026, 1, 2, 12, 3, 0, 0, time.UTC)

// held is a place of secrets with one in it.
type held string

func (h held) Resolve(context.Context, string) (string, error) { return string(h), nil }
func (h held) Invalidate(string)                               {}

// world is a page function over two episodes of an incident, and the links in
// their messages.
type world struct {
	t     testing.TB
	store *memory.Store
	now   time.Time
	log   bytes.Buffer
	links map[int]string
}

// seen is what a source says of the incident at a minute.
func seen(minute int, v observation.Verdict) observation.Observation {
	return observation.Observation{
		IncidentKey: key, Kind: "error", Parts: []observation.Part{{Name: "issue", Value: "42"}}, Source: "api", Owner: "team",
		Tick: noon.Add(time.Duration(minute) * time.Minute), Verdict: v, Status: string(v), Summary: "Payment fails",
		Evidence: observation.Evidence{Link: "https://vendor.example.com/42", VendorID: "42"},
	}
}

func newWorld(t testing.TB) *world {
	t.Helper()
	again := seen(3, observation.Failing)
	again.Summary, again.Evidence.VendorID = "Refunds fail", "43"
	return newWorldOf(t, []observation.Observation{
		seen(0, observation.Failing), seen(1, observation.Healthy), seen(2, observation.Healthy), again,
	})
}

func newWorldOf(t testing.TB, all []observation.Observation, silences ...silence.Silence) *world {
	t.Helper()
	w := &world{t: t, store: memory.New(), now: noon, links: map[int]string{}}
	for _, s := range silences {
		if err := w.store.PutSilence(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	p := incident.DefaultPolicy()
	cfg := &config.Config{
		Environment: "test", Hash: "c1-test",
		Owners:       map[string]config.Owner{"team": {ID: "team", CostCenter: "CC-1", Destinations: []string{"slack", "mail"}, Policy: p}},
		Destinations: map[string]config.Destination{"slack": {ID: "slack", Channel: config.ChannelSlackWebhook}, "mail": {ID: "mail", Channel: config.ChannelSES}},
		Sources:      []config.Source{{ID: "api", Owner: "team", Interval: time.Minute, Policy: p, OperatorAction: "Look at the API."}},
	}
	l := &pages.Linker{
		URL: host + "/", Secret: "ssm:/page", ValidFor: 24 * time.Hour, Secrets: held(secret),
		Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler),
	}
	d := &decide.Decider{
		Config: cfg, Store: w.store, Render: channels.Render, Log: slog.New(slog.DiscardHandler), Page: l.Link,
		Now: func() time.Time { return noon }, Sleep: func(context.Context, time.Duration) error { return nil },
		Jitter: func() float64 { return 0 },
	}
	for _, o := range all {
		if _, err := w.store.PutObservation(t.Context(), o, time.Time{}); err != nil {
			t.Fatal(err)
		}
		if failed := d.Decide(t.Context(), []observation.Observation{o}); len(failed) > 0 {
			t.Fatal(failed)
		}
	}
	w.findLinks()
	return w
}

// findLinks takes the links out of the frozen messages, and wants every one to
// show its own.
func (w *world) findLinks() {
	w.t.Helper()
	for episode := 1; ; episode++ {
		all, err := w.store.Episode(w.t.Context(), key, episode)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(all) == 0 {
			return
		}
		for _, d := range all {
			w.links[episode] = d.Notice.Page
			if d.Notice.Page == "" || !strings.Contains(string(d.Payload), d.Notice.Page) {
				w.t.Errorf("the %s message for %s does not show the link %q", d.Action, d.Destination, d.Notice.Page)
			}
		}
	}
}

// path is where an episode's page is.
func (w *world) path(episode int) string { return strings.TrimPrefix(w.links[episode], host) }

// invoke calls the handler as Lambda does, with an event's bytes.
func (w *world) invoke(ctx context.Context, event []byte) ([]byte, error) {
	log := slog.New(slog.NewJSONHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h := handler{
		log, &pages.Checker{Secret: "ssm:/page", Secrets: held(secret), Now: func() time.Time { return w.now }},
		&explain.Explainer{Store: w.store}, func() time.Time { return w.now }, w.store,
	}
	return lambda.NewHandler(h.handle).Invoke(ctx, event)
}

// ask calls the handler with a request.
func (w *world) ask(r request) response {
	w.t.Helper()
	event, err := json.Marshal(r)
	if err != nil {
		w.t.Fatal(err)
	}
	answer, err := w.invoke(w.t.Context(), event)
	if err != nil {
		w.t.Fatal(err)
	}
	var res response
	if err := json.Unmarshal(answer, &res); err != nil {
		w.t.Fatal(err)
	}
	return res
}

// get is a request for a path.
func get(path string) request {
	var r request
	r.Version, r.RawPath = "2.0", path
	r.RequestContext.HTTP.Method, r.RequestContext.HTTP.Path = "GET", path
	return r
}
