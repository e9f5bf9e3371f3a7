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

// overlap is how long functions may run different configurations during a deployment.
// A destination that is unknown to this function may be new.
const overlap = 15 * time.Minute

// removed reports whether the item's destination is no longer configured.
func (l *lane) removed(d delivery.Delivery) bool {
	return !l.known && l.Now().Sub(d.CreatedAt) >= overlap
}

// move sends an item of a removed destination, which may have been renamed, to the
// owner's present destinations, except those that receive the same or a later decision
// directly. If the owner has no destination, the item becomes dead.
func (l *lane) move(ctx context.Context, v view) (delivery.State, error) {
	now := l.Now()
	d, err := l.Ledger.Claim(ctx, v.step.Send.Ref(), l.Token(), now, now.Add(l.Lease))
	if errors.Is(err, delivery.ErrNotClaimable) {
		return delivery.Sending, nil
	}
	if err != nil {
		return v.step.Send.State, fmt.Errorf("claim it: %w", err)
	}
	c := claim{lane: l, item: d, episode: v.episode}
	why := "destination " + l.to.ID + " is configured no more"
	present := l.ownerDestinations(d)
	if len(present) == 0 {
		dead := d.Refuse(why+", and owner "+d.Owner+" has no other", now)
		return dead.State, c.settle(ctx, dead, delivery.Outcome{})
	}
	var more []delivery.Delivery
	names := make([]string, len(present))
	for i, to := range present {
		d.Note, names[i] = "it is configured no more", to.ID
		more = c.appendMoved(ctx, more, len(present)-i, d, to)
	}
	more, left := firstPart(more, d, v.episode)
	if left > 0 {
		// Nobody is notified twice: the next call skips the items written now.
		back := d.PutBack(now, now, delivery.Retry{})
		return back.State, c.settle(ctx, back, delivery.Outcome{}, more...)
	}
	moved := d.Refuse(why, now).Closed(why + "; told at " + strings.Join(names, ", "))
	return moved.State, c.settle(ctx, moved, delivery.Outcome{}, more...)
}

// firstPart returns the items that are not in the ledger yet, as many as fit into one
// transaction with the moved item, and how many are left. Items that carry the whole
// message come first; the items of a split digest are few enough for one part.
func firstPart(more []delivery.Delivery, moved delivery.Delivery, episode []delivery.Delivery) (part []delivery.Delivery, left int) {
	var whole, split []delivery.Delivery
	for _, m := range more {
		switch {
		case slices.ContainsFunc(episode, func(s delivery.Delivery) bool { return s.Ref() == m.Ref() }):
		case m.IncidentKey == moved.IncidentKey:
			whole = append(whole, m)
		default:
			split = append(split, m)
		}
	}
	more = slices.Concat(whole, split)
	n := delivery.Fitting(more, delivery.MaxGathered, delivery.MaxBytes-moved.Size())
	return more[:n], len(more) - n
}

// ownerDestinations returns the present destinations of the item's owner, except this
// lane's.
func (l *lane) ownerDestinations(d delivery.Delivery) []config.Destination {
	var all []config.Destination
	for _, id := range l.Config.Owners[d.Owner].Destinations {
		if to, ok := l.Config.Destinations[id]; ok && id != l.to.ID {
			all = append(all, to)
		}
	}
	return all
}

// appendMoved appends what a destination has to be sent for a moved item d, whose note
// says why it moves. left counts the destinations that still follow, this one included.
// A digest is split only if its items fit into one transaction with the others'.
func (c *claim) appendMoved(ctx context.Context, more []delivery.Delivery, left int, d delivery.Delivery, to config.Destination) []delivery.Delivery {
	if receivesDirectly(c.episode, d, to.ID) {
		return more
	}
	items, ok := c.splitDigest(ctx, d, to, true)
	switch {
	case ok && len(items) == 0:
		return more
	case ok && to.DigestOver <= 0 && fitSplit(slices.Concat(more, items), left-1):
		return append(more, items...)
	default:
		return c.appendRendered(more, c.fallbackItem(d, to))
	}
}
