package scenario_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// mute is a store that accepts claims and fails to write outcomes while it is set.
type mute struct {
	store
	broken *bool
}

func (m mute) Settle(ctx context.Context, d delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error {
	if *m.broken {
		return errBroken
	}
	return m.store.Settle(ctx, d, u, more...)
}

// TestAMessageWhoseOutcomeCannotBeWrittenIsNotSentForEver: each worker that claims the
// message sends it and is lost. After a few it is held for a person. If the person
// insists, as many workers may try again.
func TestAMessageWhoseOutcomeCannotBeWrittenIsNotSentForEver(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.audience(slackDest)
		r.decideOnly(observed(noon, observation.Failing))
		broken := true
		sweeps := func(n int) {
			x := r.deliverer()
			x.Ledger = mute{r.tap, &broken}
			for range n {
				r.now = r.now.Add(90 * time.Second)
				_, _ = x.Sweep(t.Context())
			}
		}
		sweeps(40)
		if n := len(r.posts()); n != 3 {
			t.Fatalf("an hour long nothing could be written, and Slack was told %d times", n)
		}
		broken = false
		sweeps(2)
		held := r.inState(delivery.Held)
		if len(r.posts()) != 3 || held.Note != "may have arrived; not sent again, for one worker after the other was lost with it" {
			t.Errorf("%d posts, held: %s", len(r.posts()), held.Note)
		}
		if err := s.Resend(t.Context(), held.Ref(), r.now); err != nil {
			t.Fatal(err)
		}
		broken = true
		sweeps(40)
		if n := len(r.posts()); n != 6 {
			t.Errorf("resent by a person, Slack was told %d times", n)
		}
		broken = false
		sweeps(2)
		r.inState(delivery.Held)
		r.audit(noon.Truncate(24*time.Hour), r.now)
	})
}

// TestALostWorkerOrTwoCostNoMessage: a few lost workers are an accident, and the
// message is sent again. A provider with an idempotency key is retried without a
// limit.
func TestALostWorkerOrTwoCostNoMessage(t *testing.T) {
	for channel, lost := range map[string]int{config.ChannelSlackWebhook: 2, config.ChannelPagerDuty: 7} {
		t.Run(channel, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s store) {
				r := newRig(t, s, newVendor())
				to := slackDest
				if r.audience(to); channel == config.ChannelPagerDuty {
					to = pager
					r.pagerFor(t)
					r.audience(to)
				}
				due := r.decideOnly(observed(noon, observation.Failing))
				for range lost {
					if _, err := s.Claim(t.Context(), due[0].Ref, "killed", r.now, r.now.Add(time.Minute)); err != nil {
						t.Fatal(err)
					}
					r.now = r.now.Add(time.Minute)
				}
				r.sweep()
				if d := r.inState(delivery.Delivered); d.Destination != to || d.Action != incident.Open {
					t.Errorf("delivered %s to %s", d.Action, d.Destination)
				}
			})
		})
	}
}
