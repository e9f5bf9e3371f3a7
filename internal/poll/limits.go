package poll

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// listing asks the vendor, unless an earlier run was told not to ask yet.
func (p *Poller) listing(ctx context.Context, src config.Source, tick time.Time, runs []observation.Run) observation.Listing {
	var until time.Time
	for _, r := range runs {
		if !r.Tick.Equal(tick) && r.NotBefore.After(until) {
			until = r.NotBefore
		}
	}
	if p.Now().Before(until) {
		return skipped(until)
	}
	return p.Fetcher.Fetch(ctx, src)
}

// skipped is what is known of a vendor that was not asked: nothing.
func skipped(until time.Time) observation.Listing {
	return observation.Listing{NotBefore: until, Problems: []observation.Problem{{
		What: "it was not asked: its rate limit lasts until " + observation.FormatTick(until) + "; poll less often (interval) or narrow the query",
	}}}
}

// aged turns a failure that was last seen too long ago into health, and reports that
// it did: the vendor keeps it open, but it does not happen any more. Where the vendor
// does not say when it was last seen, the verdict is unknown.
func aged(src config.Source, tick time.Time, it observation.Item) (_ observation.Item, unseen bool) {
	if src.FailingWithin <= 0 || it.Verdict != observation.Failing {
		return it, false
	}
	last := it.Evidence.LastSeen
	switch {
	case last.IsZero():
		it.Verdict = observation.Unknown
		it.Status += ", not said when last seen"
	case tick.Sub(last) > src.FailingWithin:
		it.Verdict = observation.Healthy
		it.Status += ", last seen " + observation.FormatTick(last)
		return it, true
	}
	return it, false
}

// skewNoted is how far a vendor's clock may be off before it is worth a warning.
const skewNoted = 2 * time.Minute

// skew is how far the vendor's times are from ours: what its answers' own date
// says, or a failure that was seen in the future. No decision depends on it.
func skew(l observation.Listing, now time.Time) time.Duration {
	most := l.Skew
	for _, it := range l.Items {
		for _, at := range []time.Time{it.Evidence.FirstSeen, it.Evidence.LastSeen} {
			if ahead := at.Sub(now); !at.IsZero() && ahead > most.Abs() {
				most = ahead
			}
		}
	}
	return most
}
