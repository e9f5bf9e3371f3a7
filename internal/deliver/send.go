package deliver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
)

// send sends what may go next, once its destination's turn has come, and returns
// the state that it is left in.
func (l *lane) send(ctx context.Context, v view) (delivery.State, error) {
	d := *v.step.Send
	if l.knownRefused(d) {
		return d.State, l.Ledger.Postpone(ctx, d.Ref(), l.quarantined)
	}
	g, err := l.enter(ctx)
	if errors.Is(err, errNoTurn) {
		return d.State, l.postponed(ctx, d, g)
	}
	if err != nil {
		return d.State, err
	}
	return l.sendNow(ctx, v, g)
}

// sendNow sends what may go next at once.
func (l *lane) sendNow(ctx context.Context, v view, g delivery.Gate) (delivery.State, error) {
	d := *v.step.Send
	if err := l.rewrite(ctx, d, v.step.Fold, v.step.Since); err != nil {
		if errors.Is(err, delivery.ErrFenced) {
			return d.State, nil
		}
		return d.State, err
	}
	now := l.Now()
	due := d.Due()
	d, err := l.Ledger.Claim(ctx, d.Ref(), l.Token(), now, now.Add(l.Lease))
	if errors.Is(err, delivery.ErrNotClaimable) {
		l.logHeldBack(ctx, due, notClaimable, time.Time{})
		return delivery.Sending, nil
	}
	if err != nil {
		return d.State, fmt.Errorf("claim it: %w", err)
	}
	return l.sendClaimed(ctx, d, v, g)
}

// sendClaimed sends an item that this worker holds the lease of, and settles
// what came of it. The send is never repeated here: an item that is not
// accepted goes back to the ledger with its next time.
func (l *lane) sendClaimed(ctx context.Context, d delivery.Delivery, v view, g delivery.Gate) (delivery.State, error) {
	repeat := d.MayHaveArrived()
	if d.Withheld(l.ambiguity(d)) {
		return l.hold(ctx, d, v, g)
	}
	if d.TooLate(l.Now(), l.retry()) {
		dead := d.Refuse("given up after "+l.retry().GiveUpAfter.String(), l.Now())
		return dead.State, l.settle(ctx, d, dead, delivery.Outcome{}, l.consequences(ctx, dead, v, g)...)
	}
	g, refused, err := l.refuses(ctx, d, g)
	if err != nil {
		return d.State, err
	}
	if refused {
		return l.divert(ctx, d, v, g)
	}
	if !l.Now().Before(d.LeaseUntil) {
		// This worker was held up, and another one may be sending by now.
		l.Log.WarnContext(ctx, "the lease ran out before the message was sent; the newer claim decides",
			"delivery_id", d.ID, "destination", d.Destination)
		return d.State, nil
	}
	outcome := l.hand(ctx, d, repeat)
	if _, ok := l.fallback(d); ok && outcome.Misconfigured {
		// Somebody else can be told while it is put right.
		outcome.Class = delivery.Permanent
	}
	return l.conclude(ctx, d, outcome, repeat, v, g)
}

// hold sends no more of a message that may have arrived, unless a look at where it
// would be says what became of it.
func (l *lane) hold(ctx context.Context, d delivery.Delivery, v view, g delivery.Gate) (delivery.State, error) {
	if looker, ok := l.looker(); ok {
		looking, cancel := context.WithTimeout(ctx, d.LeaseUntil.Sub(l.Now()))
		defer cancel()
		if outcome, known := looker.Look(looking, l.to, d); known {
			return l.conclude(ctx, d, outcome, false, v, g)
		}
	}
	held := d.HoldLost(l.Now())
	return held.State, l.settle(ctx, d, held, delivery.Outcome{}, l.ends(ctx, held, v, g)...)
}

func (l *lane) looker() (Looker, bool) {
	if !l.known {
		return nil, false
	}
	looker, ok := l.Senders[l.to.Channel].(Looker)
	return looker, ok
}

// conclude writes down what came of an attempt. Where a look can settle a doubt, the
// doubt is left to it.
func (l *lane) conclude(ctx context.Context, d delivery.Delivery, outcome delivery.Outcome, repeat bool, v view, g delivery.Gate) (delivery.State, error) {
	ambiguity := l.ambiguity(d)
	if _, ok := l.looker(); ok {
		ambiguity = delivery.Repeat
	}
	now := l.Now()
	after := d.Settle(outcome, repeat, now, l.retry(), ambiguity, l.Jitter())
	g, err := l.learn(ctx, d, outcome, g, now)
	more := append(l.consequences(ctx, after, v, g), l.ends(ctx, after, v, g)...)
	if failed := l.settle(ctx, d, after, outcome, more...); failed != nil {
		return after.State, errors.Join(failed, err)
	}
	return after.State, errors.Join(err, l.lift(ctx, outcome, g))
}

// hand gives the message to its channel.
func (l *lane) hand(ctx context.Context, d delivery.Delivery, repeat bool) delivery.Outcome {
	// In a deployment the functions run different configurations for a while.
	if !l.known {
		return delivery.Outcome{Class: delivery.Temporary, Code: "destination_not_configured"}
	}
	sender, ok := l.Senders[l.to.Channel]
	if !ok {
		return delivery.Outcome{Class: delivery.Temporary, Code: "channel_not_supported"}
	}
	// Who keeps an idempotency key is sent the same bytes under it.
	says := repeat && !config.Idempotent(l.to.Channel)
	if says || l.to.Channel != d.Channel {
		n := d.Notice
		n.MayBeRepeat = says
		payload, err := l.Render(l.to.Channel, n)
		if err != nil {
			return delivery.Outcome{Class: delivery.Permanent, Code: "cannot_be_rendered"}
		}
		d.Payload = payload
	}
	// Who sends after the lease may send beside another worker.
	ctx, cancel := context.WithTimeout(ctx, d.LeaseUntil.Sub(l.Now()))
	defer cancel()
	return sender.Send(ctx, l.to, d)
}

func (l *lane) ambiguity(d delivery.Delivery) delivery.Ambiguity {
	if config.Idempotent(l.to.Channel) {
		return delivery.Repeat
	}
	if a := l.to.OnAmbiguous[d.Action]; a != "" {
		return a
	}
	return delivery.DefaultAmbiguity(d.Action)
}

func (l *lane) retry() delivery.Retry {
	p := l.Config.Delivery
	return delivery.Retry{
		Backoff:       backoff.Schedule{Base: p.BackoffBase, Cap: p.BackoffCap, Floor: time.Second},
		RetryAfterCap: p.RetryAfterCap,
		GiveUpAfter:   p.GiveUpAfter,
	}
}
