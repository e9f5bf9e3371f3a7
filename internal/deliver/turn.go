package deliver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// errNoTurn ends a lane for this invocation: its destination takes nothing now.
// What is left stays due.
var errNoTurn = errors.New("the destination takes nothing now")

// enter waits for the destination's turn. It returns the gate, or errNoTurn when
// the destination asked for a pause or its turn is too far off.
func (l *lane) enter(ctx context.Context) (delivery.Gate, error) {
	for {
		now := l.Now()
		g, may, err := l.tryEnter(ctx, now)
		switch {
		case err != nil:
			return g, err
		case may:
			return g, nil
		case now.Before(g.ClosedUntil):
			l.closed = g.ClosedUntil
			l.Log.InfoContext(ctx, "delivery", "destination", l.to.ID, "state", "gated", "until", g.ClosedUntil)
			return g, errNoTurn
		}
		if !l.await(ctx, g.TurnAt.Sub(now)) {
			return g, errNoTurn
		}
	}
}

func (l *lane) tryEnter(ctx context.Context, now time.Time) (delivery.Gate, bool, error) {
	if l.to.Pace > 0 {
		g, taken, err := l.Ledger.TakeTurn(ctx, l.to.ID, now, now.Add(l.to.Pace))
		if err != nil {
			err = fmt.Errorf("take the destination's turn: %w", err)
		}
		return g, taken, err
	}
	g, err := l.Ledger.Gate(ctx, l.to.ID)
	if err != nil {
		return g, false, fmt.Errorf("read the gate of the destination: %w", err)
	}
	return g, !now.Before(g.ClosedUntil), nil
}

// await sleeps for a turn, if there is patience and time left for it.
func (l *lane) await(ctx context.Context, wait time.Duration) bool {
	if l.Sleep == nil || wait > l.patience {
		return false
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline)-wait < l.Margin {
		return false
	}
	l.patience -= wait
	return l.Sleep(ctx, max(wait, time.Millisecond)) == nil
}

// postponed puts an item off to when its destination asked for.
func (l *lane) postponed(ctx context.Context, d delivery.Delivery, g delivery.Gate) error {
	if !l.Now().Before(g.ClosedUntil) {
		return errNoTurn
	}
	return l.Ledger.Postpone(ctx, d.Ref(), g.ClosedUntil)
}
