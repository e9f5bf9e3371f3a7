package scenario_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

type senderFunc func(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome

func (f senderFunc) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	return f(ctx, to, d)
}

// TestADeploymentLosesNothing: during a deployment, decide knows a destination, or its
// channel, before deliver does.
func TestADeploymentLosesNothing(t *testing.T) {
	for name, old := range map[string]func(c *config.Config){
		"destination": func(c *config.Config) { delete(c.Destinations, slackDest) },
		"channel": func(c *config.Config) {
			c.Destinations[slackDest] = config.Destination{ID: slackDest, Channel: "to come"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, memory.New(), newVendor())
			r.audience(slackDest)
			due := r.decideOnly(observed(noon, observation.Failing))
			cfg := *r.cfg
			cfg.Destinations = map[string]config.Destination{slackDest: cfg.Destinations[slackDest]}
			old(&cfg)
			x := r.deliverer()
			x.Config = &cfg
			if failed := x.Deliver(t.Context(), due); len(failed) > 0 {
				t.Fatal(failed)
			}
			r.now = r.now.Add(time.Minute)
			r.sweep()
			if got := r.actionsAt(slackDest); len(got) != 1 || got[0] != "open" {
				t.Errorf("told %v", got)
			}
		})
	}
}

// TestCaseD4AtMostTwo: the provider accepts every message and never answers.
func TestCaseD4AtMostTwo(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	r.audience(slackDest)
	for range 20 {
		r.inbox.Script(slackDest, inbox.AcceptAndClose())
	}
	r.decideOnly(observed(noon, observation.Failing))
	for range 60 {
		r.now = r.now.Add(time.Minute)
		r.sweep()
	}
	all := r.ledger()
	if calls := r.callsTo(slackDest); calls != 2 || all[0].State != delivery.Held {
		t.Errorf("called %d times; the item is %s", calls, all[0].State)
	}
	if u := r.usage(); len(u) != 1 || u[0].Held != 1 || u[0].Repeated != 1 {
		t.Errorf("counted %+v", u)
	}
}

func TestASendEndsWithItsLease(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	r.audience(slackDest)
	r.decideOnly(observed(noon, observation.Failing))
	x := r.deliverer()
	bounded := false
	x.Senders[config.ChannelSlackWebhook] = senderFunc(func(ctx context.Context, _ config.Destination, _ delivery.Delivery) delivery.Outcome {
		deadline, ok := ctx.Deadline()
		bounded = ok && time.Until(deadline) <= x.Lease
		return delivery.Outcome{Class: delivery.Accepted}
	})
	if _, err := x.Sweep(t.Context()); err != nil || !bounded {
		t.Errorf("bounded %v, %v", bounded, err)
	}
}

// TestGivingUpNeedsNoAnswer: a worker is lost with the item, and nothing takes it up
// until after give_up_after.
func TestGivingUpNeedsNoAnswer(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.audience(slackDest)
		due := r.decideOnly(observed(noon, observation.Failing))
		if _, err := s.Claim(t.Context(), due[0].Ref, "lost", r.now, r.now.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		r.now = r.now.Add(r.cfg.Delivery.GiveUpAfter + time.Minute)
		r.sweep()
		if d := r.ledger()[0]; d.State != delivery.Dead || d.Action != incident.Open || r.callsTo(slackDest) != 0 {
			t.Errorf("the item is %s after %d calls", d.State, r.callsTo(slackDest))
		}
	})
}

// TestAMisconfigurationWaitsOrGoesToTheFallback: the webhook's address is mistyped and
// corrected ten minutes later.
func TestAMisconfigurationWaitsOrGoesToTheFallback(t *testing.T) {
	for fallback, want := range map[string][2]int{"": {1, 0}, mailDest: {0, 2}} {
		r := newRig(t, memory.New(), newVendor())
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.Fallback = fallback })
		good := os.Getenv("SCENARIO_WEBHOOK")
		t.Setenv("SCENARIO_WEBHOOK", "https//mistyped")
		r.decideOnly(observed(noon, observation.Failing))
		for n := range 30 {
			if n == 10 {
				t.Setenv("SCENARIO_WEBHOOK", good)
			}
			r.now = r.now.Add(time.Minute)
			r.sweep()
		}
		if got := [2]int{len(r.posts()), len(r.mails())}; got != want {
			t.Errorf("with fallback %q, %d posts and %d mails, want %v", fallback, got[0], got[1], want)
		}
	}
}

// TestCaseC1ALimitWithoutATimeIsMetOnce: ten messages are due, and the provider
// answers 429 without Retry-After.
func TestCaseC1ALimitWithoutATimeIsMetOnce(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	r.audience(slackDest)
	r.inbox.Script(slackDest, slices.Repeat([]inbox.Fault{{Status: 429}}, 10)...)
	for n := range 10 {
		r.decideOnly(observedKey(n, noon, observation.Failing))
	}
	r.sweep()
	if calls := r.callsTo(slackDest); calls != 1 {
		t.Errorf("called %d times at one moment", calls)
	}
}

func TestAClockALittleBehindDelaysNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		due := r.decideOnly(observed(noon, observation.Failing))
		r.now = r.now.Add(-500 * time.Millisecond)
		if failed := r.deliverer().Deliver(t.Context(), due); len(failed) > 0 {
			t.Fatal(failed)
		}
		if got := r.toldEqually(); got != "open" {
			t.Errorf("told %s", got)
		}
	})
}

// TestTheLogOfADeliveryTellsWhatAndWhy: a reminder is superseded by the next one.
func TestTheLogOfADeliveryTellsWhatAndWhy(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.audience(slackDest)
	var log bytes.Buffer
	r.log = slog.New(slog.NewTextHandler(&log, nil))
	p := incident.DefaultPolicy()
	p.Cooldown = time.Minute
	r.setPolicy(p)
	r.run(v, "FFFFFFFFF", map[int][]inbox.Fault{0: {inbox.RateLimited(300)}})
	if got := r.actionsAt(slackDest); len(got) > 5 || got[0] != "open" {
		t.Errorf("told %v", got)
	}
	lines := strings.Split(log.String(), "\n")
	says := func(all ...string) bool {
		return slices.ContainsFunc(lines, func(l string) bool {
			return !slices.ContainsFunc(all, func(w string) bool { return !strings.Contains(l, w) })
		})
	}
	const what = `summary="Payment card fails"`
	if !says("msg=delivery", what, "state=superseded", `note="overtaken; see d1-`) || !says("msg=delivery", what, "state=delivered") {
		t.Errorf("the log says\n%s", log.String())
	}
}

// TestASlowDestinationKeepsNobodyWaiting: one destination accepts no message until the
// other has been told.
func TestASlowDestinationKeepsNobodyWaiting(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	r.audience(slackDest)
	for n := range 50 {
		r.decideOnly(observedKey(n, noon, observation.Failing))
	}
	r.now = r.now.Add(time.Second)
	r.audience(mailDest)
	r.decideOnly(observedKey(50, noon, observation.Failing))
	told := make(chan struct{})
	x := r.deliverer()
	x.Senders[config.ChannelSES] = senderFunc(func(context.Context, config.Destination, delivery.Delivery) delivery.Outcome {
		close(told)
		return delivery.Outcome{Class: delivery.Accepted}
	})
	x.Senders[config.ChannelSlackWebhook] = senderFunc(func(ctx context.Context, _ config.Destination, _ delivery.Delivery) delivery.Outcome {
		select {
		case <-told:
			return delivery.Outcome{Class: delivery.Ambiguous, Code: "timeout"}
		case <-ctx.Done():
			t.Error("the other destination was not told meanwhile")
			return delivery.Outcome{Class: delivery.Temporary}
		}
	})
	if _, err := x.Sweep(t.Context()); err != nil {
		t.Error(err)
	}
}
