package scenario_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// interrupted is a store in which another worker comes in between, once, before the
// hourly attempt is claimed.
type interrupted struct {
	store
	other func()
}

func (i *interrupted) Refuse(ctx context.Context, destination, code string, seen, now, until time.Time) (delivery.Gate, bool, error) {
	if other := i.other; other != nil {
		i.other = nil
		other()
	}
	return i.store.Refuse(ctx, destination, code, seen, now, until)
}

// TestOneWorkerTriesAGoneDestinationAnHour: two workers see at once that the hour is
// over, each with a message of its own.
func TestOneWorkerTriesAGoneDestinationAnHour(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
		r.inbox.Script(slackDest, inbox.Gone(), inbox.Gone(), inbox.Gone())
		r.decideOnly(observedKey(0, noon, observation.Failing))
		r.sweep()
		r.now = r.now.Add(61 * time.Minute)
		first := r.decideOnly(observedKey(1, noon.Add(time.Hour), observation.Failing))
		second := r.decideOnly(observedKey(2, noon.Add(time.Hour), observation.Failing))
		x := r.deliverer()
		x.Ledger = &interrupted{store: r.tap, other: func() {
			if failed := r.deliverer().Deliver(t.Context(), second); len(failed) > 0 {
				t.Error(failed)
			}
		}}
		if failed := x.Deliver(t.Context(), first); len(failed) > 0 {
			t.Fatal(failed)
		}
		if n := r.callsTo(slackDest); n != 2 {
			t.Errorf("Slack was called %d times, once at first and once after the hour", n)
		}
	})
}

// TestARepairIsToldAlsoWhereItsWorkerIsLost: Slack accepts the hourly attempt, and the
// worker is lost before it writes the outcome. PagerDuty was told that Slack refuses;
// an hour later it is told that Slack no longer does.
func TestARepairIsToldAlsoWhereItsWorkerIsLost(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.pagerFor(t)
		r.inbox.Script(slackDest, inbox.Gone())
		r.decideOnly(observedKey(0, noon, observation.Failing))
		r.sweeps(2, time.Minute)
		r.now = r.now.Add(time.Hour)
		broken := true
		x := r.deliverer()
		x.Ledger = mute{r.tap, &broken}
		x.Deliver(t.Context(), r.decideOnly(observedKey(1, noon.Add(time.Hour), observation.Failing)))
		if n := len(r.posts()); n != 1 {
			t.Fatalf("Slack took %d messages", n)
		}
		for hour := 2; hour < 4; hour++ {
			r.now = r.now.Add(time.Hour)
			r.decideOnly(observedKey(hour, noon.Add(time.Duration(hour)*time.Hour), observation.Failing))
			r.sweeps(2, time.Minute)
		}
		told := 0
		for _, d := range r.ledger() {
			if d.Action == delivery.Restored && d.State == delivery.Delivered {
				told++
			}
		}
		if told != 1 {
			t.Errorf("PagerDuty was told %d times that Slack takes messages again", told)
		}
	})
}

// hasty is a store in which the provider's receipt comes before the outcome is
// written.
type hasty struct {
	store
	receipt func(delivery.Delivery)
}

func (h hasty) Settle(ctx context.Context, d delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error {
	if d.Channel == config.ChannelSES && d.State == delivery.Delivered {
		h.receipt(d)
	}
	return h.store.Settle(ctx, d, u, more...)
}

// TestARepairIsToldAlsoWhereTheReceiptComesFirst: SES accepts the hourly mail and
// reports so before the worker has written the outcome. PagerDuty is told that mail
// works again.
func TestARepairIsToldAlsoWhereTheReceiptComesFirst(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.mailBefore(0)
		r.inbox.Script(mailTo, inbox.Fault{Status: 403, Word: "AccessDeniedException"})
		r.decideOnly(observedKey(0, noon, observation.Failing))
		r.sweeps(2, time.Minute)
		r.now = r.now.Add(time.Hour)
		r.decideOnly(observedKey(1, noon.Add(time.Hour), observation.Failing))
		x := r.deliverer()
		x.Ledger = hasty{r.tap, r.arrives}
		if _, err := x.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.sweeps(2, time.Minute)
		told := 0
		for _, d := range r.ledger() {
			if d.Action == delivery.Restored && d.State == delivery.Delivered {
				told++
			}
		}
		if mails := r.mails(); told != 1 || len(mails) != 1 {
			t.Errorf("PagerDuty was told %d times that mail is mended; %d mails", told, len(mails))
		}
		r.audit(noon.Truncate(24*time.Hour), r.now)
	})
}

// TestAnOutcomeIsWrittenThoughTheInvocationEnds cancels the invocation while the
// message is being sent.
func TestAnOutcomeIsWrittenThoughTheInvocationEnds(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	r.audience(slackDest)
	due := r.decideOnly(observed(noon, observation.Failing))
	ctx, cancel := context.WithCancel(t.Context())
	x := r.deliverer()
	x.Senders[config.ChannelSlackWebhook] = senderFunc(func(context.Context, config.Destination, delivery.Delivery) delivery.Outcome {
		cancel()
		return delivery.Outcome{Class: delivery.Accepted, Status: 200}
	})
	if failed := x.Deliver(ctx, due); len(failed) > 0 {
		t.Error(failed)
	}
	r.inState(delivery.Delivered)
}

// TestWhatWaitedForItsTurnIsTriedOnce: Slack asks for a pause longer than
// give_up_after. A message that was never tried is tried when the pause is over.
func TestWhatWaitedForItsTurnIsTriedOnce(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	r.audience(slackDest)
	r.cfg.Delivery.GiveUpAfter = 30 * time.Minute
	if err := r.tap.CloseGate(t.Context(), slackDest, r.now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	r.decideOnly(observed(noon, observation.Failing))
	r.sweeps(65, time.Minute)
	if d := r.inState(delivery.Delivered); d.Tries() != 1 {
		t.Errorf("after %d tries", d.Tries())
	}
}
