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

// quarantine is how long a destination that refuses everything is left alone.
const quarantine = time.Hour

// refusedRecheck is how soon an item without a fallback is looked at again while its
// destination refuses everything: a person may have mended that, and another item's
// resend have shown it.
const refusedRecheck = 5 * time.Minute

// refuses reports whether a destination takes nothing now. When the time has
// come to try it again, one worker does; what a person insists on is tried at
// once.
func (l *lane) refuses(ctx context.Context, d delivery.Delivery, g delivery.Gate) (delivery.Gate, bool, error) {
	if !g.Refuses() || d.Insisted {
		return g, false, nil
	}
	now := l.Now()
	if now.Before(g.RefusedUntil) {
		return g, true, nil
	}
	fresh, ours, err := l.Ledger.Refuse(ctx, l.to.ID, g.RefusedCode, g.RefusedUntil, now, now.Add(quarantine))
	if err != nil {
		return g, false, fmt.Errorf("try again a destination that refuses everything: %w", err)
	}
	return fresh, !ours && fresh.Refuses(), nil
}

// divert deals with an item whose destination refuses everything. With a
// fallback it goes there at once; without one it waits for the next try.
func (l *lane) divert(ctx context.Context, d delivery.Delivery, v view, g delivery.Gate) (delivery.State, error) {
	now := l.Now()
	if _, ok := l.fallback(d); ok {
		dead := d.Refuse("the destination refuses everything: "+g.RefusedCode, now)
		return dead.State, l.settle(ctx, d, dead, delivery.Outcome{}, l.consequences(ctx, dead, v, g)...)
	}
	until := now.Add(refusedRecheck)
	if g.RefusedUntil.Before(until) {
		until = g.RefusedUntil
	}
	l.quarantined = until
	back := d.PutBack(until, now, l.retry())
	return back.State, l.settle(ctx, d, back, delivery.Outcome{})
}

// knownRefused reports an item that need not take a turn, since this lane knows that
// the destination refuses everything. One that is due to be given up takes its turn
// all the same.
func (l *lane) knownRefused(d delivery.Delivery) bool {
	return !l.quarantined.IsZero() && !d.Insisted &&
		l.quarantined.Sub(d.CreatedAt) <= l.Config.Delivery.GiveUpAfter
}

// fallback is where to tell what an item cannot tell at its own destination.
// What is on its way to a fallback goes no further, and a smoke test nowhere else.
func (l *lane) fallback(d delivery.Delivery) (config.Destination, bool) {
	if l.to.Fallback == "" || d.For != "" || config.IsSmoke(d.Source) {
		return config.Destination{}, false
	}
	to, ok := l.Config.Destinations[l.to.Fallback]
	return to, ok && to.ID != l.to.ID
}

// consequences are what the fallback is told about a dead item: that its
// destination refuses everything, once; and the item itself, unless the fallback
// is told the same on its own account while the destination refuses all.
func (l *lane) consequences(ctx context.Context, dead delivery.Delivery, v view, g delivery.Gate) []delivery.Delivery {
	to, ok := l.fallback(dead)
	if !ok || dead.State != delivery.Dead {
		return nil
	}
	var more []delivery.Delivery
	if g.Refuses() {
		r := delivery.Refusal(dead, g.RefusedSince, to.ID, to.Channel, l.Now())
		r.Notice = notice.Refusal(dead.Notice, r.ID, dead.Destination, g.RefusedCode, g.RefusedSince)
		more = l.written(more, r)
		if hears(v.episode, dead, to.ID) {
			return more
		}
	}
	if to.DigestOver <= 0 {
		if items, ok := l.apart(ctx, dead, to, g.Refuses()); ok {
			return append(more, items...)
		}
	}
	return l.written(more, l.instead(withResolve(dead, v.episode), to))
}

// withResolve returns an item that also tells its incident's end, where that has been
// decided: by the time that it is given up nobody needs to be called for what is over.
func withResolve(d delivery.Delivery, episode []delivery.Delivery) delivery.Delivery {
	end, over := delivery.ResolveFor(episode, d.Destination)
	if over && (d.Action == incident.Open || d.Action == incident.Remind) && d.Notice.Action != incident.Resolve {
		d.Notice = notice.Together(d.Notice, []notice.Notice{end.Notice})
	}
	return d
}

// standIns are the destinations that can take an item's place: its own one's fallback
// or, where that one is no longer configured, the owner's present destinations.
func (l *lane) standIns(d delivery.Delivery) []config.Destination {
	if !l.known {
		return l.present(d)
	}
	if to, ok := l.fallback(d); ok {
		return []config.Destination{to}
	}
	return nil
}

// following takes the later messages of an incident to where its open went.
func (l *lane) following(v view, c delivery.Closing) []delivery.Delivery {
	if !c.Lost {
		return nil
	}
	var more []delivery.Delivery
	for _, to := range l.standIns(c.Delivery) {
		if !wentTo(to.ID, c.Delivery, v.episode) || (!l.known && hears(v.episode, c.Delivery, to.ID)) {
			continue
		}
		d := c.Delivery
		d.Note = "its open went to the fallback"
		more = l.written(more, l.instead(d, to))
	}
	return more
}

// away reports whether the episode of a lane was opened at who stands in for its
// destination.
func (l *lane) away(lane, episode []delivery.Delivery) bool {
	return len(lane) > 0 && slices.ContainsFunc(l.standIns(lane[0]), func(to config.Destination) bool {
		return wentTo(to.ID, lane[0], episode)
	})
}

func wentTo(standIn string, d delivery.Delivery, episode []delivery.Delivery) bool {
	return slices.ContainsFunc(episode, func(s delivery.Delivery) bool {
		// An open that was lost in a digest went there with it.
		inDigest := s.Destination == d.Destination && s.For == "" && s.Action == incident.Open && s.In != ""
		return inDigest || (s.For == d.Destination && s.Destination == standIn && s.Notice.Action != incident.Resolve)
	})
}

func (l *lane) instead(dead delivery.Delivery, to config.Destination) delivery.Delivery {
	d := delivery.ToFallback(dead, to.ID, to.Channel, l.Now())
	d.Notice.DeliveryID, d.Notice.For, d.Notice.ForWhy = d.ID, dead.Destination, dead.Note
	d.Notice.MayBeRepeat = false
	return d
}

// written adds an item with its message. One that cannot be rendered is left
// out: the dead item stays in the ledger and in the log.
func (l *lane) written(more []delivery.Delivery, d delivery.Delivery) []delivery.Delivery {
	payload, err := l.Render(d.Channel, d.Notice)
	if err != nil {
		l.Log.Error("a message for the fallback could not be written", "destination", d.Destination, "error", err)
		return more
	}
	d.Payload = payload
	return append(more, d)
}

// hears reports whether a destination is told the same decision itself, or a later
// one of the episode. What was given up there it has not heard.
func hears(episode []delivery.Delivery, d delivery.Delivery, destination string) bool {
	for _, s := range episode {
		if s.Sequence >= d.Sequence && s.Episode == d.Episode && s.Destination == destination && s.For == "" &&
			s.State != delivery.Silenced && s.State != delivery.Dead {
			return true
		}
	}
	return false
}
