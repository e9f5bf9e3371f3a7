package deliver

import (
	"context"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
)

// apart returns the items of a dead digest as single messages, for a fallback that
// takes no digests: a machine opens an alert for each item, which the item's resolve
// closes, and nothing would ever close an alert for a digest. With unheard, items that
// the fallback is told on its own account are left out. It returns false where dead is
// no digest, or its items cannot be read or are too many to be written at once: then
// the fallback is told the whole digest.
func (l *lane) apart(ctx context.Context, dead delivery.Delivery, to config.Destination, unheard bool) ([]delivery.Delivery, bool) {
	if dead.Action != delivery.Digest {
		return nil, false
	}
	var apart []delivery.Delivery
	for _, e := range dead.Notice.Entries {
		episode, err := l.Ledger.Episode(ctx, e.IncidentKey, e.Episode)
		if err != nil {
			l.Log.ErrorContext(ctx, "the items of a digest cannot be read; the fallback is told the digest",
				"delivery_id", dead.ID, "destination", dead.Destination, "error", err)
			return nil, false
		}
		for _, d := range episode {
			if d.In != delivery.DigestOf(dead) || (unheard && hears(episode, d, to.ID)) {
				continue
			}
			d.Note = dead.Note
			apart = l.written(apart, l.instead(withResolve(d, episode), to))
		}
	}
	return apart, fitApart(apart, 0)
}

// fitApart reports whether items can be written at once, beside so many others.
func fitApart(items []delivery.Delivery, others int) bool {
	size := 0
	for _, d := range items {
		size += d.Size()
	}
	return len(items)+others <= delivery.MaxGathered && size <= maxApart
}

// maxApart bounds the items that go apart, in bytes: they are written in one
// transaction with what they come from, which may itself be a row of 400 KB.
const maxApart = delivery.MaxBytes - 512<<10

// ends are what the fallback is told when an item has arrived, or may have: that
// the destination takes messages again, if it was told that it does not; and that an
// incident is over of which it had to be told before.
func (l *lane) ends(ctx context.Context, after delivery.Delivery, v view, g delivery.Gate) []delivery.Delivery {
	to, ok := l.Config.Destinations[l.to.Fallback]
	if !ok || (after.State != delivery.Delivered && after.State != delivery.Held) || to.ID == l.to.ID {
		return nil
	}
	var more []delivery.Delivery
	if after.State == delivery.Delivered && g.Refuses() {
		told := delivery.Refusal(delivery.Delivery{Destination: l.to.ID}, g.RefusedSince, to.ID, to.Channel, l.Now())
		if told, err := l.Ledger.Delivery(ctx, told.Ref()); err == nil {
			r := delivery.Recovery(told, l.Now())
			r.Notice = notice.Restored(told.Notice, r.ID, l.to.ID, l.Now())
			more = l.written(more, r)
		}
	}
	if delivery.FallbackAwaitsResolve(after, v.episode) {
		after.Note = delivery.WhyResolveToo
		more = l.written(more, l.instead(after, to))
	}
	return more
}
