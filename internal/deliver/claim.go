package deliver

import (
	"context"
	"errors"
	"time"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
)

// claim is an item that this worker has claimed, and what its outcome depends on.
type claim struct {
	*lane
	// item is the item as claimed; it does not change.
	item delivery.Delivery
	// episode is all items of the episode.
	episode []delivery.Delivery
	// gate is the newest known state of the destination.
	gate delivery.Gate
}

// attempt sends the item once and settles the outcome. It never retries: an item
// that is not accepted returns to the ledger with its next due time.
func (c *claim) attempt(ctx context.Context) (delivery.State, error) {
	repeat := c.item.MayHaveArrived()
	if c.item.Withheld(c.ambiguity()) {
		return c.hold(ctx)
	}
	if c.item.TooLate(c.Now(), c.retry()) {
		dead := c.item.Refuse("given up after "+c.retry().GiveUpAfter.String(), c.Now())
		return dead.State, c.settle(ctx, dead, delivery.Outcome{}, c.fallbackOnDead(ctx, dead)...)
	}
	refused, err := c.refused(ctx)
	if err != nil {
		return c.item.State, err
	}
	if refused {
		return c.divert(ctx)
	}
	if !c.Now().Before(c.item.LeaseUntil) {
		// This worker was delayed; another one may be sending by now.
		c.Log.WarnContext(ctx, "the lease ran out before the message was sent; the newer claim decides",
			"delivery_id", c.item.ID, "destination", c.item.Destination)
		return c.item.State, nil
	}
	outcome := c.transmit(ctx, repeat)
	if _, ok := c.fallback(c.item); ok && outcome.Misconfigured {
		// The fallback can be told while an operator fixes the configuration.
		outcome.Class = delivery.Permanent
	}
	return c.conclude(ctx, outcome, repeat)
}

// hold stops sending an item that may have arrived, unless the sender can look up
// what became of it.
func (c *claim) hold(ctx context.Context) (delivery.State, error) {
	if looker, ok := c.looker(); ok {
		looking, cancel := context.WithTimeout(ctx, c.item.LeaseUntil.Sub(c.Now()))
		defer cancel()
		if outcome, known := looker.Look(looking, c.to, c.item); known {
			return c.conclude(ctx, outcome, false)
		}
	}
	held := c.item.HoldLost(c.Now())
	return held.State, c.settle(ctx, held, delivery.Outcome{}, c.fallbackOnArrival(ctx, held)...)
}

func (l *lane) looker() (Looker, bool) {
	if !l.known {
		return nil, false
	}
	looker, ok := l.Senders[l.to.Channel].(Looker)
	return looker, ok
}

// conclude settles the outcome of an attempt. If the sender can look up an ambiguous
// send, the ambiguity policy is Repeat, since the lookup will decide.
func (c *claim) conclude(ctx context.Context, outcome delivery.Outcome, repeat bool) (delivery.State, error) {
	ambiguity := c.ambiguity()
	if _, ok := c.looker(); ok {
		ambiguity = delivery.Repeat
	}
	now := c.Now()
	after := c.item.Settle(outcome, repeat, now, c.retry(), ambiguity, c.Jitter())
	err := c.updateGate(ctx, outcome, now)
	more := append(c.fallbackOnDead(ctx, after), c.fallbackOnArrival(ctx, after)...)
	if failed := c.settle(ctx, after, outcome, more...); failed != nil {
		return after.State, errors.Join(failed, err)
	}
	return after.State, errors.Join(err, c.reopenGate(ctx, outcome))
}

// transmit passes the message to its sender.
func (c *claim) transmit(ctx context.Context, repeat bool) delivery.Outcome {
	// During a deployment, functions run different configurations for a while.
	if !c.known {
		return delivery.Outcome{Class: delivery.Temporary, Code: "destination_not_configured"}
	}
	sender, ok := c.Senders[c.to.Channel]
	if !ok {
		return delivery.Outcome{Class: delivery.Temporary, Code: "channel_not_supported"}
	}
	d := c.item
	// A provider with an idempotency key must get the same bytes under it.
	marked := repeat && !config.Idempotent(c.to.Channel)
	if marked || c.to.Channel != d.Channel {
		n := d.Notice
		n.MayBeRepeat = marked
		payload, err := c.Render(c.to.Channel, n)
		if err != nil {
			return delivery.Outcome{Class: delivery.Permanent, Code: "cannot_be_rendered"}
		}
		d.Payload = payload
	}
	// After the lease another worker may be sending.
	ctx, cancel := context.WithTimeout(ctx, d.LeaseUntil.Sub(c.Now()))
	defer cancel()
	return sender.Send(ctx, c.to, d)
}

// ambiguity returns the policy for a send of the item that may have arrived.
func (c *claim) ambiguity() delivery.Ambiguity {
	if config.Idempotent(c.to.Channel) {
		return delivery.Repeat
	}
	if a := c.to.OnAmbiguous[c.item.Action]; a != "" {
		return a
	}
	return delivery.DefaultAmbiguity(c.item.Action)
}

func (l *lane) retry() delivery.Retry {
	p := l.Config.Delivery
	return delivery.Retry{
		Backoff:       backoff.Schedule{Base: p.BackoffBase, Cap: p.BackoffCap, Floor: time.Second},
		RetryAfterCap: p.RetryAfterCap,
		GiveUpAfter:   p.GiveUpAfter,
	}
}
