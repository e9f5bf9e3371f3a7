package incident

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// InOrder compares two observations of one key in the order in which a batch is
// folded: by tick, then failing first, then by source. Failing first means that a
// failure prevents another source's recovery at the same tick from resolving.
func InOrder(a, b observation.Observation) int {
	return cmp.Or(
		a.Tick.Compare(b.Tick),
		cmp.Compare(rank(a.Verdict), rank(b.Verdict)),
		cmp.Compare(a.Source, b.Source),
	)
}

func rank(v observation.Verdict) int {
	switch v {
	case observation.Failing:
		return 0
	case observation.Healthy:
		return 2
	default:
		return 1
	}
}

// Arrivals puts the stored observations of one key, which are read by their ticks,
// into the order in which they were folded as far as it is known: a source that took
// its time may have written its observation of a tick after another's of a later one.
type Arrivals struct {
	// ready are of one tick, or held back until after it; next are of the next one.
	ready, next []observation.Observation
}

// Take takes the next observation. Now and then it returns those that come before
// all others, of one tick and with what had to wait for that.
func (a *Arrivals) Take(o observation.Observation) []observation.Observation {
	var first []observation.Observation
	if len(a.next) > 0 && !a.next[0].Tick.Equal(o.Tick) {
		first = a.turn()
	}
	a.next = append(a.next, o)
	return first
}

// Rest yields what is left, tick by tick.
func (a *Arrivals) Rest() iter.Seq[[]observation.Observation] {
	return func(yield func([]observation.Observation) bool) {
		for range 2 {
			if !yield(a.turn()) {
				return
			}
		}
	}
}

// Holds reports whether there is an observation of a source at a tick that has been
// taken and not been returned.
func (a *Arrivals) Holds(source string, tick time.Time) bool {
	is := func(o observation.Observation) bool { return o.Source == source && o.Tick.Equal(tick) }
	return slices.ContainsFunc(a.ready, is) || slices.ContainsFunc(a.next, is)
}

// together is how long after one another observations of one tick may be written to be
// folded in one batch.
const together = 10 * time.Second

// byBatch sorts the observations of one tick as they were folded.
func byBatch(tick []observation.Observation) {
	slices.SortStableFunc(tick, func(a, b observation.Observation) int { return a.ObservedAt.Compare(b.ObservedAt) })
	from := 0
	for i := range tick {
		if i+1 == len(tick) || tick[i+1].ObservedAt.Sub(tick[i].ObservedAt) > together {
			slices.SortStableFunc(tick[from:i+1], InOrder)
			from = i + 1
		}
	}
}

func (a *Arrivals) turn() []observation.Observation {
	byBatch(a.next)
	var first time.Time
	for _, o := range a.next {
		if at := o.ObservedAt; !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	isLate := func(o observation.Observation) bool { return !first.IsZero() && o.ObservedAt.After(first) }
	now, late := a.ready, []observation.Observation(nil)
	if slices.ContainsFunc(now, isLate) {
		late = slices.DeleteFunc(slices.Clone(now), func(o observation.Observation) bool { return !isLate(o) })
		now = slices.DeleteFunc(now, isLate)
	}
	a.ready, a.next = withLate(a.next, late), nil
	return now
}

// withLate puts observations of earlier ticks behind those of a tick that were
// written before them.
func withLate(all, late []observation.Observation) []observation.Observation {
	if len(late) == 0 {
		return all
	}
	slices.SortStableFunc(late, func(a, b observation.Observation) int { return a.ObservedAt.Compare(b.ObservedAt) })
	var out []observation.Observation
	for _, l := range late {
		var after []observation.Observation
		for _, o := range all {
			if o.ObservedAt.After(l.ObservedAt) {
				after = append(after, o)
				continue
			}
			out = append(out, o)
		}
		out, all = append(out, l), after
	}
	return append(out, all...)
}

// NewestOf is the newest tick of some observations.
func NewestOf(all []observation.Observation) (tick time.Time) {
	for _, o := range all {
		tick = later(tick, o.Tick)
	}
	return tick
}
