package deliver

import (
	"context"
	"slices"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// old reports an item that has waited for so long that it is no news.
func (l *lane) old(d delivery.Delivery) bool {
	age := l.Config.Delivery.MaxAge
	return age > 0 && l.Now().Sub(d.CreatedAt) > age
}

// over reports old news of an incident that nobody was told of and that is over.
func (l *lane) over(v view) bool {
	d := v.step.Send
	if d == nil || !delivery.Unsent(*d) || d.Action != incident.Open || !l.old(*d) {
		return false
	}
	return d.Notice.Action == incident.Resolve ||
		slices.ContainsFunc(v.step.Fold, func(f delivery.Delivery) bool { return f.Action == incident.Resolve })
}

// gatherOld makes one message of all that is old and over, also of what has been
// put off for a while yet: after an outage of hours it is history, and comes as
// such. While an earlier digest waits it makes no other one, unless the
// destination is seen to work.
func (l *lane) gatherOld(ctx context.Context, mine []delivery.Due) error {
	if l.to.DigestOver <= 0 || len(mine) == 0 || l.Config.Delivery.MaxAge <= 0 || l.outOfTime(ctx) {
		return nil
	}
	now := l.Now()
	ready, err := l.ready(ctx, mine, now)
	if err != nil || !slices.ContainsFunc(ready, l.over) {
		return err
	}
	soon := now.Add(l.Config.Delivery.BackoffCap)
	waiting, err := l.others(ctx, nil, soon)
	if err != nil {
		return err
	}
	if l.history = !l.works && slices.ContainsFunc(waiting, isDigest); l.history {
		return nil
	}
	all, err := l.ready(ctx, waiting[:min(len(waiting), 2*delivery.MaxGathered)], soon)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(v view) bool { return !l.over(v) })
	if len(all) < 2 {
		return nil
	}
	g, err := l.enter(ctx)
	if err != nil {
		return err
	}
	return l.digest(ctx, all, g)
}

func isDigest(it delivery.Due) bool { return it.Action == delivery.Digest }
