package deliver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
)

// settle writes the ledger, the counters and what follows. Being fenced means
// that the lease ran out and another worker took over: its word counts, not
// ours.
func (l *lane) settle(ctx context.Context, before, after delivery.Delivery, o delivery.Outcome, more ...delivery.Delivery) error {
	l.logSettled(ctx, after, o)
	ctx, cancel := l.leased(ctx, before)
	defer cancel()
	err := l.Ledger.Settle(ctx, after, delivery.UsageOf(before, after), more...)
	if errors.Is(err, delivery.ErrFenced) {
		l.Log.WarnContext(ctx, "the lease ran out before the outcome was written; the newer claim decides",
			"delivery_id", after.ID, "destination", after.Destination)
		return nil
	}
	if err != nil {
		return fmt.Errorf("write the outcome %s: %w", o.Class, err)
	}
	return nil
}

// leased bounds the write of an outcome. What has happened must be written down
// even when the invocation is being cancelled, and nobody else may before the
// lease is over: until shortly before that, or before the invocation's end, it
// is worth trying.
func (l *lane) leased(ctx context.Context, d delivery.Delivery) (context.Context, context.CancelFunc) {
	const least = 2 * time.Second
	left := d.LeaseUntil.Sub(l.Now()) - time.Second
	if deadline, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(deadline))
	}
	return context.WithTimeout(context.WithoutCancel(ctx), max(left, least))
}

func (l *lane) logSettled(ctx context.Context, d delivery.Delivery, o delivery.Outcome) {
	level := slog.LevelInfo
	switch {
	case d.State == delivery.Delivered:
	case d.State == delivery.Dead, o.Misconfigured:
		level = slog.LevelError
	default:
		level = slog.LevelWarn
	}
	l.Log.Log(ctx, level, "delivery",
		"incident_key", d.IncidentKey, "summary", called(d), "episode", d.Episode, "action", string(d.Action),
		"tick", d.Tick.UTC().Format(time.RFC3339), "delivery_id", d.ID, "destination", d.Destination, "channel", d.Channel,
		"owner", d.Owner, "cost_center", d.CostCenter, "attempt", d.Tries(),
		"state", string(d.State), "outcome", string(o.Class), "status", o.Status, "code", o.Code, "host", o.Host,
		"until", d.DueAt, "note", d.Note)
}

// called is what a person calls an item's incident.
func called(d delivery.Delivery) string {
	return notice.OneLine(cmp.Or(d.Notice.Title, d.Notice.Summary))
}

// learn notes at the gate what an outcome says about the destination as a whole,
// and returns the gate as it then is. It is kept apart from the item, whose own
// wait is in the ledger.
func (l *lane) learn(ctx context.Context, d delivery.Delivery, o delivery.Outcome, g delivery.Gate, now time.Time) (delivery.Gate, error) {
	l.works = o.Class == delivery.Accepted
	switch {
	case o.Class == delivery.RateLimited:
		l.closeGate(ctx, d, o, now)
	case o.RefusesAll():
		if !g.Refuses() {
			fresh, _, err := l.Ledger.Refuse(ctx, l.to.ID, o.Code, g.RefusedUntil, now, now.Add(quarantine))
			if err != nil {
				return g, fmt.Errorf("note that the destination refuses everything: %w", err)
			}
			g = fresh
		}
		l.Log.ErrorContext(ctx, "the destination refuses every message; it is tried once an hour",
			"destination", l.to.ID, "channel", l.to.Channel, "owner", d.Owner, "code", o.Code, "fallback", l.to.Fallback)
	}
	return g, nil
}

// lift notes that a destination takes messages again. It comes after the ledger
// has the message, with which the fallback is told: nobody would be told after.
func (l *lane) lift(ctx context.Context, o delivery.Outcome, g delivery.Gate) error {
	if o.Class != delivery.Accepted || !g.Refuses() {
		return nil
	}
	if _, _, err := l.Ledger.Refuse(ctx, l.to.ID, "", g.RefusedUntil, l.Now(), time.Time{}); err != nil {
		return fmt.Errorf("note that the destination takes messages again: %w", err)
	}
	l.Log.InfoContext(ctx, "the destination takes messages again", "destination", l.to.ID)
	return nil
}

// closeGate keeps every other message from a destination that asked us to slow
// down.
func (l *lane) closeGate(ctx context.Context, d delivery.Delivery, o delivery.Outcome, now time.Time) {
	wait := min(o.RetryAfter, l.Config.Delivery.RetryAfterCap)
	if wait <= 0 {
		// It did not say for how long; the other items need not all find out.
		wait = min(max(l.Config.Delivery.BackoffBase, time.Second), 30*time.Second)
	}
	if err := l.Ledger.CloseGate(ctx, d.Destination, now.Add(wait)); err != nil {
		l.Log.ErrorContext(ctx, "the destination asked for a pause that could not be stored; other messages may meet the same limit",
			"destination", d.Destination, "error", err)
	}
}
