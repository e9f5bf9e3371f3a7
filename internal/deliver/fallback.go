package deliver

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// quarantine is how long nothing is sent to a destination that refuses everything.
const quarantine = time.Hour

// refusedRecheck is how soon an item without a fallback is checked again while its
// destination refuses everything. A person may have fixed the destination, and
// another item's resend may have proven it.
const refusedRecheck = 5 * time.Minute

// refused reports whether the destination currently refuses everything. Once the
// quarantine is over, one worker tries it again. An item that a person resends is
// tried at once.
func (c *claim) refused(ctx context.Context) (bool, error) {
	if !c.gate.Refuses() || c.item.Insisted {
		return false, nil
	}
	now := c.Now()
	if now.Before(c.gate.RefusedUntil) {
		return true, nil
	}
	fresh, ours, err := c.Ledger.Refuse(ctx, c.to.ID, c.gate.RefusedCode, c.gate.RefusedUntil, now, now.Add(quarantine))
	if err != nil {
		return false, fmt.Errorf("try again a destination that refuses everything: %w", err)
	}
	c.gate = fresh
	return !ours && fresh.Refuses(), nil
}

// divert handles an item whose destination refuses everything. It goes to the
// fallback at once, or waits for the next try if there is none.
func (c *claim) divert(ctx context.Context) (delivery.State, error) {
	now := c.Now()
	if _, ok := c.fallback(c.item); ok {
		dead := c.item.Refuse("the destination refuses everything: "+c.gate.RefusedCode, now)
		return dead.State, c.settle(ctx, dead, delivery.Outcome{}, c.fallbackOnDead(ctx, dead)...)
	}
	until := now.Add(refusedRecheck)
	if c.gate.RefusedUntil.Before(until) {
		until = c.gate.RefusedUntil
	}
	c.quarantinedUntil = until
	back := c.item.PutBack(until, now, c.retry())
	return back.State, c.settle(ctx, back, delivery.Outcome{})
}

// knownRefused reports whether the item can be postponed without a turn, since this
// lane has seen that the destination refuses everything. An item that is due to be
// given up takes its turn.
func (l *lane) knownRefused(d delivery.Delivery) bool {
	return !l.quarantinedUntil.IsZero() && !d.Insisted &&
		l.quarantinedUntil.Sub(d.CreatedAt) <= l.Config.Delivery.GiveUpAfter
}

// fallback returns the destination that replaces the item's own. Items that already
// go to a fallback have none, nor do items of smoke tests.
func (l *lane) fallback(d delivery.Delivery) (config.Destination, bool) {
	if l.to.Fallback == "" || d.For != "" || config.IsSmoke(d.Source) {
		return config.Destination{}, false
	}
	to, ok := l.Config.Destinations[l.to.Fallback]
	return to, ok && to.ID != l.to.ID
}

// fallbackOnDead returns the items to send to the fallback if an item is dead: once, a
// notice that its destination refuses everything; and the item itself, unless the
// destination refuses everything and the fallback receives the decision directly.
func (c *claim) fallbackOnDead(ctx context.Context, dead delivery.Delivery) []delivery.Delivery {
	to, ok := c.fallback(dead)
	if !ok || dead.State != delivery.Dead {
		return nil
	}
	var more []delivery.Delivery
	if c.gate.Refuses() {
		r := delivery.Refusal(dead, c.gate.RefusedSince, to.ID, to.Channel, c.Now())
		r.Notice = notice.Refusal(dead.Notice, r.ID, dead.Destination, c.gate.RefusedCode, c.gate.RefusedSince)
		more = c.appendRendered(more, r)
		if receivesDirectly(c.episode, dead, to.ID) {
			return more
		}
	}
	if to.DigestOver <= 0 {
		if items, ok := c.splitDigest(ctx, dead, to, c.gate.Refuses()); ok {
			return append(more, items...)
		}
	}
	return c.appendRendered(more, c.fallbackItem(withResolve(dead, c.episode), to))
}

// fallbackOnArrival returns the items to send to the fallback if an item has arrived,
// or may have: a notice that the destination accepts messages again, if the fallback
// was told that it did not; and the resolve of an incident that the fallback was told
// of.
func (c *claim) fallbackOnArrival(ctx context.Context, after delivery.Delivery) []delivery.Delivery {
	to, ok := c.Config.Destinations[c.to.Fallback]
	if !ok || (after.State != delivery.Delivered && after.State != delivery.Held) || to.ID == c.to.ID {
		return nil
	}
	var more []delivery.Delivery
	if after.State == delivery.Delivered && c.gate.Refuses() {
		refusal := delivery.Refusal(delivery.Delivery{Destination: c.to.ID}, c.gate.RefusedSince, to.ID, to.Channel, c.Now())
		if refusal, err := c.Ledger.Delivery(ctx, refusal.Ref()); err == nil {
			r := delivery.Recovery(refusal, c.Now())
			r.Notice = notice.Restored(refusal.Notice, r.ID, c.to.ID, c.Now())
			more = c.appendRendered(more, r)
		}
	}
	if delivery.FallbackAwaitsResolve(after, c.episode) {
		after.Note = delivery.WhyResolveToo
		more = c.appendRendered(more, c.fallbackItem(after, to))
	}
	return more
}

// withResolve returns the item with its message extended by the incident's resolve, if
// there is one: nobody should be alerted about an incident that is over by the time
// its message is given up.
func withResolve(d delivery.Delivery, episode []delivery.Delivery) delivery.Delivery {
	end, over := delivery.ResolveFor(episode, d.Destination)
	if over && (d.Action == incident.Open || d.Action == incident.Remind) && d.Notice.Action != incident.Resolve {
		d.Notice = notice.Together(d.Notice, []notice.Notice{end.Notice})
	}
	return d
}

// replacements returns the destinations that can replace the item's own: its fallback
// or, if it is no longer configured, the owner's present destinations.
func (l *lane) replacements(d delivery.Delivery) []config.Destination {
	if !l.known {
		return l.ownerDestinations(d)
	}
	if to, ok := l.fallback(d); ok {
		return []config.Destination{to}
	}
	return nil
}

// followOpen returns the items that send a closed item to where its episode's open
// went.
func (l *lane) followOpen(v view, c delivery.Closing) []delivery.Delivery {
	if !c.Lost {
		return nil
	}
	var more []delivery.Delivery
	for _, to := range l.replacements(c.Delivery) {
		if !wentTo(to.ID, c.Delivery, v.episode) || (!l.known && receivesDirectly(v.episode, c.Delivery, to.ID)) {
			continue
		}
		d := c.Delivery
		d.Note = "its open went to the fallback"
		more = l.appendRendered(more, l.fallbackItem(d, to))
	}
	return more
}

// openedElsewhere reports whether a lane's open went to a replacement of its
// destination.
func (l *lane) openedElsewhere(lane, episode []delivery.Delivery) bool {
	return len(lane) > 0 && slices.ContainsFunc(l.replacements(lane[0]), func(to config.Destination) bool {
		return wentTo(to.ID, lane[0], episode)
	})
}

// wentTo reports whether the episode was announced at a replacement of the item's
// destination.
func wentTo(replacement string, d delivery.Delivery, episode []delivery.Delivery) bool {
	return slices.ContainsFunc(episode, func(s delivery.Delivery) bool {
		// An open in a digest went to the replacement with the digest.
		inDigest := s.Destination == d.Destination && s.For == "" && s.Action == incident.Open && s.In != ""
		return inDigest || (s.For == d.Destination && s.Destination == replacement && s.Notice.Action != incident.Resolve)
	})
}

// fallbackItem returns the item that sends a dead one to a replacement.
func (l *lane) fallbackItem(dead delivery.Delivery, to config.Destination) delivery.Delivery {
	d := delivery.ToFallback(dead, to.ID, to.Channel, l.Now())
	d.Notice.DeliveryID, d.Notice.For, d.Notice.ForWhy = d.ID, dead.Destination, dead.Note
	d.Notice.MayBeRepeat = false
	return d
}

// appendRendered renders an item's message and appends the item. An item that cannot
// be rendered is omitted; the dead item remains in the ledger and in the log.
func (l *lane) appendRendered(more []delivery.Delivery, d delivery.Delivery) []delivery.Delivery {
	payload, err := l.Render(d.Channel, d.Notice)
	if err != nil {
		l.Log.Error("a message for the fallback could not be written", "destination", d.Destination, "error", err)
		return more
	}
	d.Payload = payload
	return append(more, d)
}

// receivesDirectly reports whether a destination is sent the same decision, or a later
// one of the episode, as an item of its own. Silenced and dead items do not count.
func receivesDirectly(episode []delivery.Delivery, d delivery.Delivery, destination string) bool {
	for _, s := range episode {
		if s.Sequence >= d.Sequence && s.Episode == d.Episode && s.Destination == destination && s.For == "" &&
			s.State != delivery.Silenced && s.State != delivery.Dead {
			return true
		}
	}
	return false
}
