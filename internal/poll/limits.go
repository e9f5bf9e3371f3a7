package poll

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// listing fetches the source, unless the vendor's rate limit from an earlier run is
// still in force.
func (p *Poller) listing(ctx context.Context, src config.Source, tick time.Time, runs []observation.Run) observation.Listing {
	var until time.Time
	for _, r := range runs {
		if !r.Tick.Equal(tick) && r.NotBefore.After(until) {
			until = r.NotBefore
		}
	}
	if p.Now().Before(until) {
		return rateLimited(until)
	}
	return p.Fetcher.Fetch(ctx, src)
}

// rateLimited returns the listing of a vendor that is not asked: no items, one problem.
func rateLimited(until time.Time) observation.Listing {
	return observation.Listing{NotBefore: until, Problems: []observation.Problem{{
		What: "it was not asked: its rate limit lasts until " + observation.FormatTick(until) + "; poll less often (interval) or narrow the query",
	}}}
}

// applyFailingWithin turns a failing item that was last seen longer than the source's
// failing_within ago into a healthy one, and reports whether it did: the vendor keeps it
// open, but it no longer occurs. If the vendor gives no last-seen time, the verdict
// becomes unknown.
func applyFailingWithin(src config.Source, tick time.Time, it observation.Item) (_ observation.Item, unseen bool) {
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

// skewWarning is the clock skew from which a run logs a warning.
const skewWarning = 2 * time.Minute

// skew returns how far the vendor's clock is ahead of ours, by the Date of its answers
// or by items that were seen in the future. No decision depends on it.
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
