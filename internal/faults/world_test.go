package faults_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/poll"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const lease = 90 * time.Second

// The destinations: keyed is a machine that honours idempotency keys and wants
// each message for itself; plain are people, who have backup as their fallback.
const (
	keyed  = "keyed"
	plain  = "plain"
	backup = "backup"
)

// world is Ringonce in one process, one thing at a time, on a clock that only
// the story and its faults move.
type world struct {
	store     faulty
	cfg       *config.Config
	now       time.Time
	receivers map[string]*receiver
	log       *slog.Logger
	listing   observation.Listing
	tokens    int
	keys      int

	// observations and outbox are what the streams carry next; late is a batch
	// that was swapped with the one behind it.
	observations     []observation.Observation
	outbox           []delivery.Due
	lateObservations []observation.Observation
	lateOutbox       []delivery.Due

	faults []planned
	places int
	// receipted has plain say later what has become of its messages; receipts are
	// what it has not said yet, and lateReceipts as lateOutbox.
	receipted    bool
	receipts     []fate
	lateReceipts []fate

	// enriches has the vendor asked for more; asked counts how often it was.
	enriches bool
	asked    int

	// watching is the heartbeat, where there is one.
	watching *watching

	// slack is Slack's side of plain, where that is a bot; blind tells that a look may
	// have missed a message.
	slack *workspace
	blind bool

	// lapses has the sweep end what nobody speaks for, and silences that are over.
	lapses bool
	// lag is how the store's indexes lag, if they do.
	lag *lag
	// calm ends the faults; napping keeps a sleeper's successor from falling
	// asleep as well.
	calm    bool
	napping bool
	// journal is what went wrong, for a person, and wrong the kinds of places where
	// it did.
	journal []string
	wrong   map[class]bool
	// foul is what was seen on the way that must not be.
	foul []string
	// seen and whats are the kind of each place, and what is done there.
	seen  []class
	whats []string
}

func newWorld(s store, keys int, faults []planned, policy incident.Policy) *world {
	w := &world{
		now: noon, keys: keys, faults: faults, log: slog.New(slog.NewJSONHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError + 1})),
		wrong:     map[class]bool{},
		receivers: map[string]*receiver{keyed: {name: keyed, honours: true}, plain: {name: plain}, backup: {name: backup}},
	}
	w.store = faulty{s, w}
	w.cfg = &config.Config{
		Environment: "test",
		Owners: map[string]config.Owner{"payments": {
			ID: "payments", CostCenter: "CC-1", Destinations: []string{keyed, plain}, Policy: policy,
		}},
		Destinations: map[string]config.Destination{
			keyed:  {ID: keyed, Channel: channel},
			plain:  {ID: plain, Channel: channel, Fallback: backup, Pace: time.Second, DigestOver: 3},
			backup: {ID: backup, Channel: channel, DigestOver: 3},
		},
		Sources: []config.Source{{
			ID: "vendor", Owner: "payments", Interval: time.Minute, Policy: policy, Kind: "error",
			Absent: config.AbsentHealthy, OperatorAction: "Look at the payment service.",
		}},
		Retention: config.Retention{Observations: 14 * 24 * time.Hour, PollRuns: 14 * 24 * time.Hour},
		Delivery:  config.DeliveryPolicy{BackoffBase: 10 * time.Second, BackoffCap: 5 * time.Minute, RetryAfterCap: time.Hour, GiveUpAfter: 24 * time.Hour, MaxAge: time.Hour},
		Hash:      "c1-test",
	}
	return w
}

const channel = config.ChannelSlackWebhook

// at comes to a place and returns what goes wrong there; nothing, mostly.
func (w *world) at(ctx context.Context, c class, what string) fault {
	n := w.places
	w.places++
	if w.calm {
		return ""
	}
	w.seen, w.whats = append(w.seen, c), append(w.whats, what)
	for _, p := range w.faults {
		if p.place != n {
			continue
		}
		f := possible[c][p.choice%len(possible[c])]
		w.wrong[c] = true
		w.blind = w.blind || f == unlisted || (c == look && f == refused) || (c == send && f == asleep)
		w.journal = append(w.journal, fmt.Sprintf("%s at %d (%s), %s", f, n, what, w.now.Format("15:04:05")))
		switch f {
		case kill:
			processOf(ctx).dead = true
		case asleep:
			w.sleepPastTheLease()
		}
		return f
	}
	return ""
}

// went reports whether anything went wrong at places of these kinds.
func (w *world) went(kinds ...class) bool {
	return slices.ContainsFunc(kinds, func(c class) bool { return w.wrong[c] })
}

// sleepPastTheLease lets a worker sleep while another one takes over.
func (w *world) sleepPastTheLease() {
	if w.napping {
		return
	}
	w.napping = true
	w.now = w.now.Add(lease + time.Second)
	w.sweep()
	w.napping = false
}

func (w *world) clock() time.Time { return w.now }

func (w *world) token() string {
	w.tokens++
	return fmt.Sprintf("worker-%d", w.tokens)
}

// inserted notes what the outbox's stream carries.
func (w *world) inserted(out []delivery.Delivery) {
	for _, d := range out {
		w.outbox = append(w.outbox, d.Due())
	}
}

// tick plays a minute: the poll, both streams, the sweep, and the heartbeat.
func (w *world) tick(n int, failing bool) {
	scheduled := noon.Add(time.Duration(n) * time.Minute)
	if wall := scheduled.Add(2 * time.Second); wall.After(w.now) {
		w.now = wall
	}
	if w.watching != nil {
		w.watching.scheduled = scheduled
	}
	w.observe(scheduled, failing)
	w.decideAll()
	w.deliverAll()
	w.receiveAll()
	w.sweep()
	w.check()
}

// observe polls for one key. A storm's keys are written one after the other, as
// a poll does not: every schedule must be the same each time it is played.
func (w *world) observe(scheduled time.Time, failing bool) {
	if w.keys == 1 {
		w.listing = observation.Listing{Complete: true, Requests: 1}
		if failing {
			w.listing.Items = []observation.Item{itemOf(0)}
			if w.enriches {
				w.listing.Items[0].Evidence.VendorID = "7"
			}
		}
		w.poll(scheduled)
		return
	}
	for i := range w.keys {
		o := observed(i, scheduled, failing)
		w.retried(func(ctx context.Context) bool {
			_, err := w.store.PutObservation(ctx, o, noon.Add(24*time.Hour))
			return err == nil
		})
	}
}

func itemOf(i int) observation.Item {
	return observation.Item{
		Kind: "error", Verdict: observation.Failing, Status: "failing", Summary: fmt.Sprintf("Payment %d fails", i),
		Parts: []observation.Part{{Name: "payment", Value: fmt.Sprint(i)}},
	}
}

func observed(i int, tick time.Time, failing bool) observation.Observation {
	it := itemOf(i)
	key, err := incident.Key(it.Kind, it.Parts)
	if err != nil {
		panic(err)
	}
	if !failing {
		it.Verdict = observation.Healthy
	}
	return observation.Observation{
		IncidentKey: key, Kind: it.Kind, Parts: it.Parts, Source: "vendor", Tick: tick, Verdict: it.Verdict,
		Owner: "payments", Summary: it.Summary,
	}
}

// poll is tried again after an error, as the schedule does; the retry of a dead
// process comes only once its claim has run out.
func (w *world) poll(scheduled time.Time) {
	for range 3 {
		ctx := invoked(context.Background())
		p := &poll.Poller{
			Config: w.cfg, Store: w.store, Fetcher: w, Log: w.log,
			Now: w.clock, Token: w.token, Lease: time.Minute, Enricher: w,
		}
		if p.Poll(ctx, scheduled) == nil && !processOf(ctx).dead {
			return
		}
	}
}

// decideAll hands each key's observations to an invocation of its own, so that
// what happens first is the same each time.
func (w *world) decideAll() {
	batch := w.observations
	w.observations = nil
	batch, w.lateObservations = handed(w, record, batch, w.lateObservations, "observations")
	byKey := map[string][]observation.Observation{}
	for _, o := range batch {
		byKey[o.IncidentKey] = append(byKey[o.IncidentKey], o)
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		w.retried(func(ctx context.Context) bool { return w.decide(ctx, byKey[key]) })
	}
}

func (w *world) decider() *decide.Decider {
	return &decide.Decider{
		Config: w.cfg, Store: w.store, Render: render, Log: w.log, Now: w.clock,
		Sleep: func(context.Context, time.Duration) error { return nil }, Jitter: func() float64 { return 1 },
		AtOnce: 1,
	}
}

func (w *world) deliverAll() {
	batch := w.outbox
	w.outbox = nil
	batch, w.lateOutbox = handed(w, record, batch, w.lateOutbox, "outbox")
	w.retried(func(ctx context.Context) bool {
		if len(w.deliverer().Deliver(ctx, batch)) > 0 {
			return false
		}
		if len(batch) > 0 {
			w.beat(ctx, observation.BeatDeliver)
		}
		return true
	})
}

// retried is how a stream mapping calls: the batch again after an error, and at
// last without it.
func (w *world) retried(handle func(context.Context) bool) {
	for range 4 {
		ctx := invoked(context.Background())
		if handle(ctx) && !processOf(ctx).dead {
			return
		}
	}
}

// handed is what a stream makes of a batch: a lost one comes never, a swapped
// one after the next.
func handed[T any](w *world, c class, batch, late []T, what string) (now, later []T) {
	if len(batch) == 0 {
		return late, nil
	}
	switch w.at(invoked(context.Background()), c, what) {
	case lost:
		return late, nil
	case repeated:
		return append(append(batch, late...), batch...), nil
	case swapped:
		return late, batch
	default:
		return append(batch, late...), nil
	}
}

func (w *world) deliverer() *deliver.Deliverer {
	return &deliver.Deliverer{
		Config: w.cfg, Ledger: w.store, Render: render, Log: w.log, Now: w.clock,
		Token: w.token, Jitter: func() float64 { return 1 },
		Lease: lease, Recheck: 20 * time.Second, Lanes: 1, Patience: 5 * time.Second,
		Sleep: func(_ context.Context, d time.Duration) error {
			w.now = w.now.Add(d)
			return nil
		},
		Senders: w.senders(),
	}
}

func (w *world) senders() map[string]deliver.Sender {
	all := map[string]deliver.Sender{channel: w}
	if w.slack != nil {
		all[config.ChannelSlackBot] = w.slack.bot()
	}
	return all
}

func (w *world) sweep() {
	ctx := invoked(context.Background())
	if _, err := w.deliverer().Sweep(ctx); err == nil {
		w.beat(ctx, observation.BeatSweep)
	}
	if w.lapses {
		l := &decide.Lapser{Decider: w.decider(), Evidence: w.store, Retention: w.store}
		_ = l.Lapse(invoked(context.Background()), w.now)
	}
}

// becalm ends the faults, and has the indexes catch up.
func (w *world) becalm() {
	w.calm = true
	if w.lag != nil {
		w.lag.over = true
	}
}

// calmDown plays minutes without faults until nothing is left to do.
func (w *world) calmDown() {
	w.becalm()
	for range 90 {
		w.now = w.now.Add(time.Minute)
		w.decideAll()
		w.deliverAll()
		w.receiveAll()
		w.sweep()
		due, err := w.store.store.Due(context.Background(), w.now.Add(1000*time.Hour), 1)
		if err == nil && len(due)+len(w.lateObservations)+len(w.lateOutbox)+len(w.receipts)+len(w.lateReceipts) == 0 {
			return
		}
	}
}
