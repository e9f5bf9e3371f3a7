package deliver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// send sends an incident's next item once its destination's turn has come, and
// returns the item's new state.
func (l *lane) send(ctx context.Context, v view) (delivery.State, error) {
	d := *v.step.Send
	if l.knownRefused(d) {
		return d.State, l.Ledger.Postpone(ctx, d.Ref(), l.quarantinedUntil)
	}
	g, err := l.awaitTurn(ctx)
	if errors.Is(err, errNoTurn) {
		return d.State, l.postponed(ctx, d, g)
	}
	if err != nil {
		return d.State, err
	}
	return l.sendNow(ctx, v, g)
}

// sendNow claims and sends an incident's next item. The caller has taken the
// destination's turn.
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
	c := claim{lane: l, item: d, episode: v.episode, gate: g}
	return c.attempt(ctx)
}
