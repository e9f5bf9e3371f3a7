package deliver

import (
	"context"
	"slices"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// stale reports whether the item is older than the configured max_age.
func (l *lane) stale(d delivery.Delivery) bool {
	age := l.Config.Delivery.MaxAge
	return age > 0 && l.Now().Sub(d.CreatedAt) > age
}

// staleAndResolved reports whether the next item is a stale, unsent open of an
// incident that has resolved.
func (l *lane) staleAndResolved(v view) bool {
	d := v.step.Send
	if d == nil || !delivery.Unsent(*d) || d.Action != incident.Open || !l.stale(*d) {
		return false
	}
	return d.Notice.Action == incident.Resolve ||
		slices.ContainsFunc(v.step.Fold, func(f delivery.Delivery) bool { return f.Action == incident.Resolve })
}

// gatherStale sends all stale items of resolved incidents in one digest, including
// items that are due only later: after an outage of hours they are history. While an
// earlier digest waits it makes no new one, unless the destination has just accepted a
// message.
func (l *lane) gatherStale(ctx context.Context, mine []delivery.Due) error {
	if l.to.DigestOver <= 0 || len(mine) == 0 || l.Config.Delivery.MaxAge <= 0 || l.outOfTime(ctx) {
		return nil
	}
	now := l.Now()
	ready, err := l.ready(ctx, mine, now)
	if err != nil || !slices.ContainsFunc(ready, l.staleAndResolved) {
		return err
	}
	soon := now.Add(l.Config.Delivery.BackoffCap)
	waiting, err := l.otherDue(ctx, nil, soon)
	if err != nil {
		return err
	}
	if l.staleWait = !l.accepting && slices.ContainsFunc(waiting, isDigest); l.staleWait {
		return nil
	}
	all, err := l.ready(ctx, waiting[:min(len(waiting), 2*delivery.MaxGathered)], soon)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(v view) bool { return !l.staleAndResolved(v) })
	if len(all) < 2 {
		return nil
	}
	g, err := l.awaitTurn(ctx)
	if err != nil {
		return err
	}
	return l.digest(ctx, all, g)
}

func isDigest(it delivery.Due) bool { return it.Action == delivery.Digest }
