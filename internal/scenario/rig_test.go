package scenario_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/pagerduty"
	"github.com/ringonce/ringonce/internal/poll"
	"github.com/ringonce/ringonce/internal/secret"
	"github.com/ringonce/ringonce/internal/ses"
	"github.com/ringonce/ringonce/internal/ses/api"
	"github.com/ringonce/ringonce/internal/silence"
	"github.com/ringonce/ringonce/internal/slack"
	"github.com/ringonce/ringonce/internal/webhook"
)

// noon is the first tick of every time line.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// store is everything that the use cases need of a store.
type store interface {
	poll.Store
	decide.Store
	decide.Evidence
	decide.Keeper
	deliver.Ledger
	PutSilence(ctx context.Context, s silence.Silence) error
	EndSilence(ctx context.Context, id, by string, at time.Time) error
	Policy(ctx context.Context, hash string) ([]byte, error)
	Resend(ctx context.Context, ref delivery.Ref, now time.Time) error
	CloseStopped(ctx context.Context, ref delivery.Ref, note string) error
	Incidents(ctx context.Context, yield func(incident.State) error) error
	Deliveries(ctx context.Context, yield func(delivery.Delivery) error) error
	Decisions(ctx context.Context, key string) ([]incident.Decision, error)
	Usage(ctx context.Context, from, to time.Time) ([]delivery.Usage, error)
}

// tap records what the tables' streams would carry. The in-memory store has such a
// feed itself, which also includes writes whose answer was lost.
type tap struct {
	store
	mu sync.Mutex
	// fed and sent count what was taken from the feeds of the in-memory store.
	fed, sent    int
	observations []observation.Observation
	deliveries   []delivery.Due
}

func (t *tap) PutObservation(ctx context.Context, o observation.Observation, expires time.Time) (bool, error) {
	created, err := t.store.PutObservation(ctx, o, expires)
	if created {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.observations = append(t.observations, o)
	}
	return created, err
}

func (t *tap) Commit(ctx context.Context, s incident.State, d incident.Decision, out []delivery.Delivery) error {
	err := t.store.Commit(ctx, s, d, out)
	if err == nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, item := range out {
			t.deliveries = append(t.deliveries, item.Due())
		}
	}
	return err
}

func (t *tap) take() ([]observation.Observation, []delivery.Due) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if mem, ok := t.store.(*memory.Store); ok {
		obs, due := mem.InsertedObservations(t.fed), mem.InsertedDeliveries(t.sent)
		t.fed, t.sent = t.fed+len(obs), t.sent+len(due)
		return obs, due
	}
	obs, due := t.observations, t.deliveries
	t.observations, t.deliveries = nil, nil
	return obs, due
}

// rig is Ringonce in one process: one store, one inbox, one clock.
type rig struct {
	t     *testing.T
	tap   *tap
	inbox *inbox.Inbox
	cfg   *config.Config
	fetch poll.Fetcher
	now   time.Time
	// clockMu guards now while an invocation runs.
	clockMu sync.Mutex
	seen    int
	count   atomic.Int64
	log     *slog.Logger
}

const (
	slackDest = "slack-payments"
	mailDest  = "mail-payments"
	mailTo    = "oncall@example.com"
)

func newRig(t *testing.T, s store, fetch poll.Fetcher) *rig {
	t.Helper()
	box, err := inbox.Start(inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	t.Setenv("SCENARIO_WEBHOOK", box.WebhookURL(slackDest))
	return &rig{
		t: t, tap: &tap{store: s}, inbox: box, fetch: fetch, now: noon,
		cfg: baseConfig(), log: slog.New(slog.NewJSONHandler(io.Discard, nil)),
	}
}

func baseConfig() *config.Config {
	p := incident.DefaultPolicy()
	return &config.Config{
		Environment: "test",
		Owners: map[string]config.Owner{"payments": {
			ID: "payments", CostCenter: "CC-1", Destinations: []string{slackDest, mailDest}, Policy: p,
		}},
		Destinations: map[string]config.Destination{
			slackDest: {ID: slackDest, Channel: config.ChannelSlackWebhook, WebhookURL: "env:SCENARIO_WEBHOOK"},
			mailDest:  {ID: mailDest, Channel: config.ChannelSES, From: "alerts@example.com", To: []string{mailTo}},
		},
		Sources: []config.Source{{
			ID: "vendor", Owner: "payments", Interval: time.Minute, Policy: p, Kind: "error",
			Absent: config.AbsentHealthy, UnreachableAfter: 3, OperatorAction: "Look at the payment service.",
		}},
		Retention: config.Retention{Observations: 14 * 24 * time.Hour, PollRuns: 14 * 24 * time.Hour},
		Delivery:  config.DeliveryPolicy{BackoffBase: 10 * time.Second, BackoffCap: 5 * time.Minute, RetryAfterCap: time.Hour, GiveUpAfter: 24 * time.Hour},
		Hash:      "c1-test",
	}
}

// setPolicy gives every source a policy.
func (r *rig) setPolicy(p incident.Policy) {
	for i := range r.cfg.Sources {
		r.cfg.Sources[i].Policy = p
	}
}

// clock is called by concurrent lanes, and a lane that waits advances it.
func (r *rig) clock() time.Time {
	r.clockMu.Lock()
	defer r.clockMu.Unlock()
	return r.now
}

func (r *rig) sleep(_ context.Context, d time.Duration) error {
	r.clockMu.Lock()
	defer r.clockMu.Unlock()
	r.now = r.now.Add(d)
	return nil
}

func (r *rig) token() string { return fmt.Sprint("worker-", r.count.Add(1)) }

func (r *rig) poller() *poll.Poller {
	p := &poll.Poller{
		Config: r.cfg, Store: r.tap, Fetcher: r.fetch, Log: r.log,
		Now: r.clock, Token: r.token, Lease: time.Minute,
	}
	p.Enricher, _ = r.fetch.(poll.Enricher)
	return p
}

func (r *rig) decider() *decide.Decider {
	return &decide.Decider{
		Config: r.cfg, Store: r.tap, Render: channels.Render, Log: r.log, Now: r.clock,
		Sleep: func(context.Context, time.Duration) error { return nil }, Jitter: func() float64 { return 1 },
	}
}

func (r *rig) lapser() *decide.Lapser {
	return &decide.Lapser{Decider: r.decider(), Evidence: r.tap, Retention: r.tap}
}

func (r *rig) deliverer() *deliver.Deliverer {
	mail := api.New(sesv2.New(sesv2.Options{
		Region: "eu-central-1", BaseEndpoint: aws.String(r.inbox.SESEndpoint()),
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
	}))
	secrets := secret.New(secret.Options{Now: r.clock, Log: r.log})
	return &deliver.Deliverer{
		Config: r.cfg, Ledger: r.tap, Render: channels.Render, Log: r.log, Now: r.clock,
		Token: r.token, Jitter: func() float64 { return 1 },
		Lease: time.Minute, Recheck: 20 * time.Second, Patience: 2 * time.Second, Sleep: r.sleep,
		Senders: map[string]deliver.Sender{
			config.ChannelSlackWebhook: channels.SlackWebhook{Sender: slack.NewSender(http.DefaultTransport, r.clock), Secrets: secrets},
			config.ChannelSlackBot:     channels.SlackBot{Bot: slack.NewBot(http.DefaultTransport, r.clock), Secrets: secrets, Ledger: r.tap},
			config.ChannelPagerDuty:    channels.PagerDuty{Sender: pagerduty.NewSender(http.DefaultTransport, r.clock), Secrets: secrets},
			config.ChannelWebhook:      channels.Webhook{Sender: webhook.NewSender(http.DefaultTransport, r.clock), Secrets: secrets},
			config.ChannelSES:          channels.Mail{Sender: ses.NewSender(mail, r.clock)},
		},
	}
}

// tick polls, decides and delivers at noon plus n minutes, as the streams would, and
// sweeps what is due.
func (r *rig) tick(n int) {
	r.t.Helper()
	scheduled := noon.Add(time.Duration(n) * time.Minute)
	if wall := scheduled.Add(2 * time.Second); wall.After(r.now) {
		r.now = wall
	}
	if err := r.poller().Poll(r.t.Context(), scheduled); err != nil {
		r.t.Fatalf("poll at %v: %v", scheduled, err)
	}
	r.pump()
	r.lapse(scheduled)
	r.sweep()
}

// lapse ends, as of a tick, what no source reports any more, and delivers it.
func (r *rig) lapse(tick time.Time) {
	r.t.Helper()
	if err := r.lapseAsOf(tick); err != nil {
		r.t.Fatalf("lapse as of %v: %v", tick, err)
	}
	r.pumpOutbox()
}

// lapseAsOf runs the sweep of the next minute, which looks back at the tick.
func (r *rig) lapseAsOf(tick time.Time) error {
	return r.lapser().Lapse(r.t.Context(), tick.Add(time.Minute))
}

// pump plays both streams.
func (r *rig) pump() {
	r.t.Helper()
	obs, _ := r.tap.take()
	if failed := r.decider().Decide(r.t.Context(), obs); len(failed) > 0 {
		r.t.Fatalf("decide: %v", failed)
	}
	r.pumpOutbox()
}

func (r *rig) pumpOutbox() {
	r.t.Helper()
	_, due := r.tap.take()
	if failed := r.deliverer().Deliver(r.t.Context(), due); len(failed) > 0 {
		r.t.Fatalf("deliver: %v", failed)
	}
}

func (r *rig) sweep() {
	r.t.Helper()
	if _, err := r.deliverer().Sweep(r.t.Context()); err != nil {
		r.t.Fatalf("sweep: %v", err)
	}
}

// told drains the inbox: what arrived since the last call, by destination.
func (r *rig) told() map[string][]string {
	all := r.inbox.Messages()
	fresh := all[r.seen:]
	r.seen = len(all)
	by := map[string]delivery.Delivery{}
	err := r.tap.Deliveries(r.t.Context(), func(d delivery.Delivery) error {
		by[d.ID] = d
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	told := map[string][]string{}
	for _, m := range fresh {
		d, ok := by[m.DeliveryID]
		if !ok {
			r.t.Fatalf("a message arrived with the unknown delivery id %q", m.DeliveryID)
		}
		told[d.Destination] = append(told[d.Destination], string(d.Action))
	}
	for _, actions := range told {
		slices.Sort(actions)
	}
	return told
}

// toldEqually returns what every destination was told, or a description of how they
// differ.
func (r *rig) toldEqually() string {
	told := r.told()
	if len(told) == 0 {
		return "-"
	}
	a, b := strings.Join(told[slackDest], "+"), strings.Join(told[mailDest], "+")
	if a != b || len(told) != 2 {
		return fmt.Sprintf("unequal: %v", slices.Sorted(maps.Keys(told)))
	}
	return a
}
