package deliver

import (
	"context"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
)

// splitDigest returns the items of a dead digest as individual items for a fallback
// that takes no digests: an alerting service opens one alert per item and closes it on
// the item's resolve, but nothing would close an alert for a digest. If skipDirect is
// true, items that the fallback receives directly are omitted. It returns false if dead
// is not a digest, or its items cannot be read or are too many for one transaction.
// Then the fallback gets the whole digest.
func (l *lane) splitDigest(ctx context.Context, dead delivery.Delivery, to config.Destination, skipDirect bool) ([]delivery.Delivery, bool) {
	if dead.Action != delivery.Digest {
		return nil, false
	}
	var items []delivery.Delivery
	for _, e := range dead.Notice.Entries {
		episode, err := l.Ledger.Episode(ctx, e.IncidentKey, e.Episode)
		if err != nil {
			l.Log.ErrorContext(ctx, "the items of a digest cannot be read; the fallback is told the digest",
				"delivery_id", dead.ID, "destination", dead.Destination, "error", err)
			return nil, false
		}
		for _, d := range episode {
			if d.In != delivery.DigestOf(dead) || (skipDirect && receivesDirectly(episode, d, to.ID)) {
				continue
			}
			d.Note = dead.Note
			items = l.appendRendered(items, l.fallbackItem(withResolve(d, episode), to))
		}
	}
	return items, fitSplit(items, 0)
}

// fitSplit reports whether the items fit into one transaction with the given number of
// others.
func fitSplit(items []delivery.Delivery, others int) bool {
	size := 0
	for _, d := range items {
		size += d.Size()
	}
	return len(items)+others <= delivery.MaxGathered && size <= maxSplit
}

// maxSplit bounds the items of a split digest, in bytes. They are written in one
// transaction with the digest, whose row may be 400 KB.
const maxSplit = delivery.MaxBytes - 512<<10
