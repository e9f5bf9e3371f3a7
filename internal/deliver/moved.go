package deliver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
)

// overlap is how long functions may run different configurations while one is
// deployed: a destination that is not known to this one yet may be new.
const overlap = 15 * time.Minute

// gone reports an item whose destination configuration has no more.
func (l *lane) gone(d delivery.Delivery) bool {
	return !l.known && l.Now().Sub(d.CreatedAt) >= overlap
}

// move tells the present destinations of an item's owner what its own, which may
// have been renamed, cannot be told any more; but for those that are told the
// same or later news of the incident on their own account. Where there is nobody,
// the item is dead, and says so.
func (l *lane) move(ctx context.Context, v view) (delivery.State, error) {
	now := l.Now()
	d, err := l.Ledger.Claim(ctx, v.step.Send.Ref(), l.Token(), now, now.Add(l.Lease))
	if errors.Is(err, delivery.ErrNotClaimable) {
		return delivery.Sending, nil
	}
	if err != nil {
		return v.step.Send.State, fmt.Errorf("claim it: %w", err)
	}
	why := "destination " + l.to.ID + " is configured no more"
	present := l.present(d)
	if len(present) == 0 {
		dead := d.Refuse(why+", and owner "+d.Owner+" has no other", now)
		return dead.State, l.settle(ctx, d, dead, delivery.Outcome{})
	}
	var more []delivery.Delivery
	names := make([]string, len(present))
	for i, to := range present {
		d.Note, names[i] = "it is configured no more", to.ID
		more = l.unheard(ctx, more, len(present)-i, d, to, v.episode)
	}
	more, left := firstPart(more, d, v.episode)
	if left > 0 {
		// Nobody is told it twice: the next look finds whom it has been written for.
		back := d.PutBack(now, now, delivery.Retry{})
		return back.State, l.settle(ctx, d, back, delivery.Outcome{}, more...)
	}
	moved := d.Refuse(why, now).Closed(why + "; told at " + strings.Join(names, ", "))
	return moved.State, l.settle(ctx, d, moved, delivery.Outcome{}, more...)
}

// firstPart are those of the items that are not there yet, as far as they can be
// written at once with the one that has moved, and how many are left. What tells it
// whole comes first: where its items go one by one, they are few enough for one part.
func firstPart(more []delivery.Delivery, moved delivery.Delivery, episode []delivery.Delivery) (part []delivery.Delivery, left int) {
	var whole, apart []delivery.Delivery
	for _, m := range more {
		switch {
		case slices.ContainsFunc(episode, func(s delivery.Delivery) bool { return s.Ref() == m.Ref() }):
		case m.IncidentKey == moved.IncidentKey:
			whole = append(whole, m)
		default:
			apart = append(apart, m)
		}
	}
	more = slices.Concat(whole, apart)
	n := delivery.Fitting(more, delivery.MaxGathered, delivery.MaxBytes-moved.Size())
	return more[:n], len(more) - n
}

// present are the destinations that an item's owner has now.
func (l *lane) present(d delivery.Delivery) []config.Destination {
	var all []config.Destination
	for _, id := range l.Config.Owners[d.Owner].Destinations {
		if to, ok := l.Config.Destinations[id]; ok && id != l.to.ID {
			all = append(all, to)
		}
	}
	return all
}

// unheard adds what a destination, one of so many that are left, has to be told of
// an item that has moved. The items of a digest go there one by one only if there
// is room for them beside what the others are told: all is written at once.
func (l *lane) unheard(ctx context.Context, more []delivery.Delivery, left int, d delivery.Delivery, to config.Destination, episode []delivery.Delivery) []delivery.Delivery {
	if hears(episode, d, to.ID) {
		return more
	}
	items, ok := l.apart(ctx, d, to, true)
	switch {
	case ok && len(items) == 0:
		return more
	case ok && to.DigestOver <= 0 && fitApart(slices.Concat(more, items), left-1):
		return append(more, items...)
	default:
		return l.written(more, l.instead(d, to))
	}
}
