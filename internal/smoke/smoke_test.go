package smoke_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/smoke"
)

// world is a stack in memory that works while the test sleeps.
type world struct {
	t     *testing.T
	store *memory.Store
	cfg   *config.Config
	now   time.Time
	// seen counts the observations and messages that were handled.
	observed, told int
	// settle is what becomes of a message that is sent; nil sends none.
	settle func(delivery.Delivery) delivery.Delivery
	// silent has decide tell nobody, and quiet leaves no beat of deliver.
	silent, quiet bool
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, store: memory.New(), now: time.Date(2026, 1, 2, 12, 0, 0, 300e6, time.UTC), cfg: &config.Config{
		Destinations: map[string]config.Destination{
			"mail": {ID: "mail", Channel: config.ChannelSES, To: []string{"a@example.com", "b@example.com"}},
		},
	}}
	for _, id := range w.cfg.Recipients("mail") {
		w.cfg.Destinations[id] = config.Destination{ID: id, Group: "mail", Channel: config.ChannelSES}
	}
	w.settle = func(d delivery.Delivery) delivery.Delivery {
		return d.Settle(delivery.Outcome{Class: delivery.Accepted, Status: 200}, false, w.now, delivery.Retry{}, delivery.Resend, 0)
	}
	return w
}

func (w *world) sleep(caller context.Context, d time.Duration) error {
	ctx := context.WithoutCancel(caller)
	w.now = w.now.Add(d)
	decider := &decide.Decider{
		Config: w.cfg, Store: w.store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return w.now },
		Render: func(string, notice.Notice) ([]byte, error) { return []byte("m"), nil },
	}
	if w.silent {
		decider.Config = &config.Config{Destinations: map[string]config.Destination{"mail": {ID: "mail"}}}
	}
	obs := w.store.InsertedObservations(w.observed)
	w.observed += len(obs)
	for key, err := range decider.Decide(ctx, obs) {
		w.t.Fatal(key, err)
	}
	if w.settle == nil {
		return caller.Err()
	}
	due := w.store.InsertedDeliveries(w.told)
	w.told += len(due)
	for _, item := range due {
		claimed, err := w.store.Claim(ctx, item.Ref, "w", w.now, w.now.Add(time.Minute))
		if err != nil {
			w.t.Fatal(err)
		}
		if err := w.store.Settle(ctx, w.settle(claimed), delivery.Usage{}); err != nil {
			w.t.Fatal(err)
		}
	}
	if len(due) > 0 && !w.quiet {
		_ = w.store.PutBeat(ctx, observation.Beat{Part: observation.BeatDeliver, Tick: w.now, At: w.now})
	}
	return caller.Err()
}

func (w *world) run(ctx context.Context) (smoke.Result, []smoke.Step, error) {
	var steps []smoke.Step
	x := smoke.Test{
		Store: w.store, Destination: "mail", Recipients: w.cfg.Recipients("mail"), Timeout: 30 * time.Second,
		Now: func() time.Time { return w.now }, Sleep: w.sleep, Done: func(s smoke.Step) { steps = append(steps, s) },
	}
	r, err := x.Run(ctx)
	return r, steps, err
}

// Every recipient of a destination is waited for; what is left are deliveries.
func TestAWholeTest(t *testing.T) {
	w := newWorld(t)
	r, steps, err := w.run(t.Context())
	if err != nil || r.Forgotten != 6 {
		t.Fatalf("%+v, %v", r, err)
	}
	var names []string
	for _, s := range steps {
		names = append(names, string(s.Action)+" "+s.Name)
	}
	const want = "open written,open decided,open claimed,open accepted,open claimed,open accepted,open handled," +
		"resolve written,resolve written,resolve decided,resolve claimed,resolve accepted,resolve claimed,resolve accepted"
	if got := strings.Join(names, ","); got != want {
		t.Errorf("steps\n got %s\nwant %s", got, want)
	}
	items, err := w.store.Episode(t.Context(), r.Key, 1)
	if err != nil || len(items) != 4 || items[0].Owner != config.SmokeOwner || items[0].CostCenter != config.SmokeOwner {
		t.Errorf("ledger %+v, %v", items, err)
	}
}

// What does not come is named, and the incident ends all the same, later if
// need be: every open that may have been told is followed by its resolve.
func TestWhatDoesNotComeIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world)
		step   string
		look   string
	}{
		"sending is off":              {func(w *world) { w.settle = nil }, "claimed", "nobody took the message"},
		"deliver is off, sweep is on": {func(w *world) { w.quiet = true }, "handled", "but from sweep"},
		"nobody is told":              {func(w *world) { w.silent = true }, "decided", "is not told of it"},
		"a silence holds": {func(w *world) {
			w.settle = func(d delivery.Delivery) delivery.Delivery {
				d.Attempts = nil
				return d.Silence("s-1")
			}
		}, "claimed", "kept back by silence s-1"},
		"the destination refuses": {func(w *world) {
			w.settle = func(d delivery.Delivery) delivery.Delivery {
				return d.Settle(delivery.Outcome{Class: delivery.Permanent, Status: 410, Code: "gone"}, false, w.now, delivery.Retry{}, delivery.Resend, 0)
			}
		}, "accepted", "410 gone"},
		"the destination is out": {func(w *world) {
			w.settle = func(d delivery.Delivery) delivery.Delivery {
				return d.Settle(delivery.Outcome{Class: delivery.Temporary, Status: 503}, false, w.now, delivery.Retry{}, delivery.Resend, 0)
			}
		}, "accepted", "503"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c.change(w)
			r, _, err := w.run(t.Context())
			var f smoke.Failure
			if !errors.As(err, &f) || f.Step != c.step || !strings.Contains(err.Error(), c.look) || r.Forgotten != 0 {
				t.Fatalf("%+v, %v", f, err)
			}
			w.silent = false
			if err := w.sleep(t.Context(), time.Second); err != nil {
				t.Fatal(err)
			}
			states, err := w.store.States(t.Context(), []string{r.Key})
			if err != nil || states[r.Key].Episode != 1 || states[r.Key].Open {
				t.Errorf("the incident afterwards: %+v, %v", states[r.Key], err)
			}
		})
	}
}

// Who may not write leaves nothing that would have to end, and hears so once.
func TestATestThatCannotBeginLeavesNothing(t *testing.T) {
	w := newWorld(t)
	writes := 0
	w.store.SetHook(func(context.Context, memory.Call) error {
		writes++
		return errors.New("not authorized to perform: dynamodb:PutItem")
	})
	r, steps, err := w.run(t.Context())
	if err == nil || strings.Count(err.Error(), "not authorized") != 1 || strings.Contains(err.Error(), "ends by itself") {
		t.Errorf("%v", err)
	}
	if writes != 1 || r.Key != "" || len(steps) != 0 {
		t.Errorf("%d writes, %+v, %v", writes, r, steps)
	}
}

// Ctrl-C ends the incident too.
func TestATestThatIsCutOffEnds(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.settle = func(d delivery.Delivery) delivery.Delivery {
		cancel()
		return d.Settle(delivery.Outcome{Class: delivery.Temporary, Status: 503}, false, w.now, delivery.Retry{}, delivery.Resend, 0)
	}
	r, _, err := w.run(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := w.sleep(t.Context(), time.Second); err != nil {
		t.Fatal(err)
	}
	decisions, err := w.store.Decisions(t.Context(), r.Key)
	if err != nil || len(decisions) != 2 || decisions[1].Action != incident.Resolve {
		t.Errorf("decided %+v, %v", decisions, err)
	}
}
