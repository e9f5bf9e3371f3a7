package deliver

import (
	"context"
	"errors"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
)

// lane is one destination's share of an invocation.
type lane struct {
	*Deliverer
	to config.Destination
	// known is false for a destination that configuration has no more.
	known bool
	// patience is how long this invocation may still wait for turns.
	patience time.Duration
	// closed is when the destination, which has asked for a pause, takes
	// messages again.
	closed time.Time
	// quarantined is when what waits for a destination that refuses everything
	// is looked at again.
	quarantined time.Time
	// works tells that the destination has taken a message just now. history tells
	// that items of incidents that are long over wait for an earlier digest.
	works, history bool
}

func (x *Deliverer) lane(destination string, patience time.Duration) *lane {
	to, known := x.Config.Destinations[destination]
	if !known {
		to.ID = destination
	}
	return &lane{Deliverer: x, to: to, known: known, patience: patience}
}

// serve takes up the items at the given places. What it has no time or no turn
// for stays due in the ledger, where sweep finds it.
func (l *lane) serve(ctx context.Context, items []delivery.Due, places []int) map[int]error {
	failed := make(map[int]error)
	mine := make([]delivery.Due, len(places))
	for i, p := range places {
		mine[i] = items[p]
	}
	for _, gather := range []func(context.Context, []delivery.Due) error{l.gather, l.gatherOld} {
		if err := gather(ctx, mine); err != nil && !errors.Is(err, errNoTurn) {
			// What cannot be told together is told one by one.
			failed[places[0]] = err
		}
	}
	for _, i := range places {
		if l.outOfTime(ctx) {
			return failed
		}
		err := l.oneOrLater(ctx, items[i])
		if errors.Is(err, errNoTurn) {
			return failed
		}
		if err != nil {
			failed[i] = err
		}
	}
	if l.works && l.history {
		if err := l.gatherOld(ctx, mine); err != nil && !errors.Is(err, errNoTurn) {
			failed[places[0]] = err
		}
	}
	return failed
}

// oneOrLater puts an item off without a look when the destination has asked for
// a pause.
func (l *lane) oneOrLater(ctx context.Context, it delivery.Due) error {
	if !l.closed.IsZero() {
		return l.Ledger.Postpone(ctx, it.Ref, l.closed)
	}
	return l.one(ctx, it)
}

// maxSteps bounds how many messages of one incident follow each other at once.
const maxSteps = 4

// one takes up an item: what must go before it, it, and what waited for it.
func (l *lane) one(ctx context.Context, it delivery.Due) error {
	for range maxSteps {
		v, err := l.view(ctx, it.Ref, it.Episode)
		if err != nil {
			return err
		}
		if v.self.State.Final() {
			l.logHeldBack(ctx, it, "done", time.Time{})
			return nil
		}
		if err := l.closeAll(ctx, v); err != nil {
			return err
		}
		if l.history && l.over(v) {
			return nil
		}
		if v.step.Send == nil {
			if v.step.Wait.IsZero() {
				return nil
			}
			l.logHeldBack(ctx, it, waitsFor(v.self), v.step.Wait)
			return l.Ledger.Postpone(ctx, it.Ref, v.step.Wait)
		}
		next := l.send
		if l.gone(*v.step.Send) {
			next = l.move
		}
		settled, err := next(ctx, v)
		if err != nil || !settled.Final() || v.step.Send.Ref() == it.Ref {
			// What waited for the item itself has its own turn.
			return err
		}
	}
	return nil
}

// notClaimable is said of an item that another worker is sending: it is not sent
// a second time.
const notClaimable = "not_claimable"

// waitsFor says why an item is not sent now.
func waitsFor(self delivery.Delivery) string {
	if self.State == delivery.Sending {
		return notClaimable
	}
	return "waits_for_earlier"
}

func (l *lane) logHeldBack(ctx context.Context, it delivery.Due, state string, until time.Time) {
	l.Log.DebugContext(ctx, "delivery", "incident_key", it.IncidentKey, "episode", it.Episode, "action", string(it.Action),
		"destination", it.Destination, "state", state, "until", until)
}
