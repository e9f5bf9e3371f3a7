package deliver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// errNoTurn ends a lane for this invocation: its destination accepts nothing now. The
// remaining items stay due.
var errNoTurn = errors.New("the destination takes nothing now")

// awaitTurn waits for the destination's turn and returns its gate. It returns errNoTurn
// if the destination has asked for a pause or the turn is too far off.
func (l *lane) awaitTurn(ctx context.Context) (delivery.Gate, error) {
	for {
		now := l.Now()
		g, taken, err := l.takeTurn(ctx, now)
		switch {
		case err != nil:
			return g, err
		case taken:
			return g, nil
		case now.Before(g.ClosedUntil):
			l.closedUntil = g.ClosedUntil
			l.Log.InfoContext(ctx, "delivery", "destination", l.to.ID, "state", "gated", "until", g.ClosedUntil)
			return g, errNoTurn
		}
		if !l.wait(ctx, g.TurnAt.Sub(now)) {
			return g, errNoTurn
		}
	}
}

// takeTurn takes the destination's turn if it has come and reports whether it did.
func (l *lane) takeTurn(ctx context.Context, now time.Time) (delivery.Gate, bool, error) {
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

// wait sleeps until a turn if patience and the invocation's time allow it, and reports
// whether it did.
func (l *lane) wait(ctx context.Context, wait time.Duration) bool {
	if l.Sleep == nil || wait > l.patience {
		return false
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline)-wait < l.Margin {
		return false
	}
	l.patience -= wait
	return l.Sleep(ctx, max(wait, time.Millisecond)) == nil
}

// postponed postpones an item to the end of the pause that its destination asked for.
func (l *lane) postponed(ctx context.Context, d delivery.Delivery, g delivery.Gate) error {
	if !l.Now().Before(g.ClosedUntil) {
		return errNoTurn
	}
	return l.Ledger.Postpone(ctx, d.Ref(), g.ClosedUntil)
}
