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

// settle writes the claimed item as it is after, the counters and any further items
// in one transaction. If the lease has expired and another worker has claimed the
// item, that worker's outcome counts and settle writes nothing.
func (c *claim) settle(ctx context.Context, after delivery.Delivery, o delivery.Outcome, more ...delivery.Delivery) error {
	c.logSettled(ctx, after, o)
	ctx, cancel := c.settleContext(ctx)
	defer cancel()
	err := c.Ledger.Settle(ctx, after, delivery.UsageOf(c.item, after), more...)
	if errors.Is(err, delivery.ErrFenced) {
		c.Log.WarnContext(ctx, "the lease ran out before the outcome was written; the newer claim decides",
			"delivery_id", after.ID, "destination", after.Destination)
		return nil
	}
	if err != nil {
		return fmt.Errorf("write the outcome %s: %w", o.Class, err)
	}
	return nil
}

// settleContext returns the context for writing an outcome. An outcome must be
// written even if the invocation is being cancelled, so the context ignores the
// cancellation of ctx. It ends shortly before the lease, while no other worker can
// claim the item, or at the invocation's deadline.
func (c *claim) settleContext(ctx context.Context) (context.Context, context.CancelFunc) {
	const least = 2 * time.Second
	left := c.item.LeaseUntil.Sub(c.Now()) - time.Second
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
		"incident_key", d.IncidentKey, "summary", incidentName(d), "episode", d.Episode, "action", string(d.Action),
		"tick", d.Tick.UTC().Format(time.RFC3339), "delivery_id", d.ID, "destination", d.Destination, "channel", d.Channel,
		"owner", d.Owner, "cost_center", d.CostCenter, "attempt", d.Tries(),
		"state", string(d.State), "outcome", string(o.Class), "status", o.Status, "code", o.Code, "host", o.Host,
		"until", d.DueAt, "note", d.Note)
}

// incidentName returns a readable name of an item's incident.
func incidentName(d delivery.Delivery) string {
	return notice.OneLine(cmp.Or(d.Notice.Title, d.Notice.Summary))
}

// updateGate records what an outcome says about the destination as a whole. The
// item's own wait is stored in the ledger.
func (c *claim) updateGate(ctx context.Context, o delivery.Outcome, now time.Time) error {
	c.accepting = o.Class == delivery.Accepted
	switch {
	case o.Class == delivery.RateLimited:
		c.closeGate(ctx, o, now)
	case o.RefusesAll():
		if !c.gate.Refuses() {
			fresh, _, err := c.Ledger.Refuse(ctx, c.to.ID, o.Code, c.gate.RefusedUntil, now, now.Add(quarantine))
			if err != nil {
				return fmt.Errorf("note that the destination refuses everything: %w", err)
			}
			c.gate = fresh
		}
		c.Log.ErrorContext(ctx, "the destination refuses every message; it is tried once an hour",
			"destination", c.to.ID, "channel", c.to.Channel, "owner", c.item.Owner, "code", o.Code, "fallback", c.to.Fallback)
	}
	return nil
}

// reopenGate records that a refusing destination has accepted a message. It runs
// after the settle that writes the fallback's notice: if the gate were reopened
// first and the settle failed, the fallback would never be told.
func (c *claim) reopenGate(ctx context.Context, o delivery.Outcome) error {
	if o.Class != delivery.Accepted || !c.gate.Refuses() {
		return nil
	}
	if _, _, err := c.Ledger.Refuse(ctx, c.to.ID, "", c.gate.RefusedUntil, c.Now(), time.Time{}); err != nil {
		return fmt.Errorf("note that the destination takes messages again: %w", err)
	}
	c.Log.InfoContext(ctx, "the destination takes messages again", "destination", c.to.ID)
	return nil
}

// closeGate stops all sends to a rate-limiting destination for the time that it
// asked for.
func (c *claim) closeGate(ctx context.Context, o delivery.Outcome, now time.Time) {
	wait := min(o.RetryAfter, c.Config.Delivery.RetryAfterCap)
	if wait <= 0 {
		// It gave no duration. A short pause keeps other items off the same limit.
		wait = min(max(c.Config.Delivery.BackoffBase, time.Second), 30*time.Second)
	}
	if err := c.Ledger.CloseGate(ctx, c.item.Destination, now.Add(wait)); err != nil {
		c.Log.ErrorContext(ctx, "the destination asked for a pause that could not be stored; other messages may meet the same limit",
			"destination", c.item.Destination, "error", err)
	}
}
