package deliver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/delivery"
)

// sendClaimed sends an item that this worker holds the lease of, and settles
// what came of it. The send is never repeated here: an item that is not
// accepted goes back to the ledger with its next time.
func (x *Deliverer) sendClaimed(ctx context.Context, d delivery.Delivery) error {
	ambiguity := x.ambiguity(d)
	repeat := d.MayHaveArrived()
	if repeat && ambiguity == delivery.Hold {
		return x.settle(ctx, d, d.HoldLost(x.Now()), delivery.Outcome{})
	}
	outcome := x.send(ctx, d, repeat)
	now := x.Now()
	if outcome.Class == delivery.RateLimited {
		x.closeGate(ctx, d, outcome, now)
	}
	return x.settle(ctx, d, d.Settle(outcome, repeat, now, x.retry(), ambiguity, x.Jitter()), outcome)
}

func (x *Deliverer) send(ctx context.Context, d delivery.Delivery, repeat bool) delivery.Outcome {
	to, ok := x.Config.Destinations[d.Destination]
	if !ok {
		return delivery.Outcome{Class: delivery.Permanent, Code: "destination_not_configured"}
	}
	sender, ok := x.Senders[to.Channel]
	if !ok {
		return delivery.Outcome{Class: delivery.Permanent, Code: "channel_not_supported"}
	}
	if repeat || to.Channel != d.Channel {
		n := d.Notice
		n.MayBeRepeat = repeat
		payload, err := x.Render(to.Channel, n)
		if err != nil {
			return delivery.Outcome{Class: delivery.Permanent, Code: "cannot_be_rendered"}
		}
		d.Payload = payload
	}
	return sender.Send(ctx, to, d)
}

func (x *Deliverer) ambiguity(d delivery.Delivery) delivery.Ambiguity {
	if a := x.Config.Destinations[d.Destination].OnAmbiguous[d.Action]; a != "" {
		return delivery.Ambiguity(a)
	}
	return delivery.DefaultAmbiguity(d.Action)
}

func (x *Deliverer) retry() delivery.Retry {
	p := x.Config.Delivery
	return delivery.Retry{
		Backoff:       backoff.Schedule{Base: p.BackoffBase, Cap: p.BackoffCap, Floor: time.Second},
		RetryAfterCap: p.RetryAfterCap,
		GiveUpAfter:   p.GiveUpAfter,
	}
}

// closeGate keeps every other message from the destination that asked us to
// slow down. It is kept apart from the item, whose own wait is in the ledger.
func (x *Deliverer) closeGate(ctx context.Context, d delivery.Delivery, o delivery.Outcome, now time.Time) {
	wait := min(o.RetryAfter, x.Config.Delivery.RetryAfterCap)
	if wait <= 0 {
		return
	}
	if err := x.Ledger.CloseGate(ctx, d.Destination, now.Add(wait)); err != nil {
		x.Log.ErrorContext(ctx, "the destination asked for a pause that could not be stored; other messages may meet the same limit",
			"destination", d.Destination, "error", err)
	}
}

// settle writes the ledger and the counters. Being fenced means that the lease
// ran out and another worker took over: its word counts, not ours.
func (x *Deliverer) settle(ctx context.Context, before, after delivery.Delivery, o delivery.Outcome) error {
	x.logSettled(ctx, after, o)
	// A send that has happened must be written down even when the invocation
	// is being cancelled.
	ctx = context.WithoutCancel(ctx)
	err := x.Ledger.Settle(ctx, after, delivery.UsageOf(before, after, x.Now()))
	if errors.Is(err, delivery.ErrFenced) {
		x.Log.WarnContext(ctx, "the lease ran out before the outcome was written; the newer claim decides",
			"delivery_id", after.ID, "destination", after.Destination)
		return nil
	}
	if err != nil {
		return fmt.Errorf("write the outcome %s: %w", o.Class, err)
	}
	return nil
}

func (x *Deliverer) logSettled(ctx context.Context, d delivery.Delivery, o delivery.Outcome) {
	level := slog.LevelInfo
	if d.State != delivery.Delivered {
		level = slog.LevelWarn
	}
	x.Log.Log(ctx, level, "delivery",
		"incident_key", d.IncidentKey, "episode", d.Episode, "action", string(d.Action),
		"tick", d.Tick.UTC().Format(time.RFC3339), "delivery_id", d.ID, "destination", d.Destination, "channel", d.Channel,
		"owner", d.Owner, "cost_center", d.CostCenter, "attempt", len(d.Attempts),
		"state", string(d.State), "outcome", string(o.Class), "status", o.Status, "code", o.Code,
		"until", d.DueAt, "note", d.Note)
}
