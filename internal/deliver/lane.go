package deliver

import (
	"context"
	"errors"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
)

// lane serves one destination during an invocation.
type lane struct {
	*Deliverer
	to config.Destination
	// known is false if the destination is not configured.
	known bool
	// patience is how long this invocation may still wait for turns.
	patience time.Duration
	// closedUntil is the end of the pause that the destination asked for, if any.
	closedUntil time.Time
	// quarantinedUntil is when the items of a destination that refuses everything
	// are checked again; zero if it does not.
	quarantinedUntil time.Time
	// accepting reports that the destination accepted the last message.
	accepting bool
	// staleWait reports that stale items of resolved incidents wait for an earlier
	// digest.
	staleWait bool
}

func (x *Deliverer) lane(destination string, patience time.Duration) *lane {
	to, known := x.Config.Destinations[destination]
	if !known {
		to.ID = destination
	}
	return &lane{Deliverer: x, to: to, known: known, patience: patience}
}

// serve sends the items at the given places. Items that it has no time or no turn for
// stay due in the ledger, where sweep finds them.
func (l *lane) serve(ctx context.Context, items []delivery.Due, places []int) map[int]error {
	failed := make(map[int]error)
	mine := make([]delivery.Due, len(places))
	for i, p := range places {
		mine[i] = items[p]
	}
	for _, gather := range []func(context.Context, []delivery.Due) error{l.gather, l.gatherStale} {
		if err := gather(ctx, mine); err != nil && !errors.Is(err, errNoTurn) {
			// Items that could not be combined are sent one by one.
			failed[places[0]] = err
		}
	}
	for _, i := range places {
		if l.outOfTime(ctx) {
			return failed
		}
		err := l.deliverOrPostpone(ctx, items[i])
		if errors.Is(err, errNoTurn) {
			return failed
		}
		if err != nil {
			failed[i] = err
		}
	}
	if l.accepting && l.staleWait {
		if err := l.gatherStale(ctx, mine); err != nil && !errors.Is(err, errNoTurn) {
			failed[places[0]] = err
		}
	}
	return failed
}

// deliverOrPostpone delivers an item, or postpones it unread if the destination has
// asked for a pause.
func (l *lane) deliverOrPostpone(ctx context.Context, it delivery.Due) error {
	if !l.closedUntil.IsZero() {
		return l.Ledger.Postpone(ctx, it.Ref, l.closedUntil)
	}
	return l.deliverOne(ctx, it)
}

// maxSteps bounds how many items of one incident are sent in a row.
const maxSteps = 4

// deliverOne sends the items that must go before an item, and then the item itself.
func (l *lane) deliverOne(ctx context.Context, it delivery.Due) error {
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
		if l.staleWait && l.staleAndResolved(v) {
			return nil
		}
		if v.step.Send == nil {
			if v.step.Wait.IsZero() {
				return nil
			}
			l.logHeldBack(ctx, it, waitReason(v.self), v.step.Wait)
			return l.Ledger.Postpone(ctx, it.Ref, v.step.Wait)
		}
		next := l.send
		if l.removed(*v.step.Send) {
			next = l.move
		}
		settled, err := next(ctx, v)
		if err != nil || !settled.Final() || v.step.Send.Ref() == it.Ref {
			// Items that waited for this one are due by themselves.
			return err
		}
	}
	return nil
}

// notClaimable is the logged state of an item that another worker is sending.
const notClaimable = "not_claimable"

// waitReason returns the logged state of an item that is not sent now.
func waitReason(self delivery.Delivery) string {
	if self.State == delivery.Sending {
		return notClaimable
	}
	return "waits_for_earlier"
}

func (l *lane) logHeldBack(ctx context.Context, it delivery.Due, state string, until time.Time) {
	l.Log.DebugContext(ctx, "delivery", "incident_key", it.IncidentKey, "episode", it.Episode, "action", string(it.Action),
		"destination", it.Destination, "state", state, "until", until)
}
