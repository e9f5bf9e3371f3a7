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

// Arrivals restores the order in which the observations of one key were folded, as far as
// it is known, from stored observations in tick order. A slow source may have written its
// observation of a tick after another source's observation of a later tick.
type Arrivals struct {
	// ready holds the observations of one tick, and earlier ones that were written
	// after them; next holds those of the following tick.
	ready, next []observation.Observation
}

// Take adds the next observation. Once a tick is complete it returns the observations
// that were folded before all remaining ones.
func (a *Arrivals) Take(o observation.Observation) []observation.Observation {
	var first []observation.Observation
	if len(a.next) > 0 && !a.next[0].Tick.Equal(o.Tick) {
		first = a.turn()
	}
	a.next = append(a.next, o)
	return first
}

// Rest yields the remaining observations, tick by tick.
func (a *Arrivals) Rest() iter.Seq[[]observation.Observation] {
	return func(yield func([]observation.Observation) bool) {
		for range 2 {
			if !yield(a.turn()) {
				return
			}
		}
	}
}

// Holds reports whether an observation of a source at a tick has been taken but not
// returned.
func (a *Arrivals) Holds(source string, tick time.Time) bool {
	is := func(o observation.Observation) bool { return o.Source == source && o.Tick.Equal(tick) }
	return slices.ContainsFunc(a.ready, is) || slices.ContainsFunc(a.next, is)
}

// batchGap is the longest time between the writes of two observations of one tick that
// are still folded in one batch.
const batchGap = 10 * time.Second

// byBatch sorts the observations of one tick in the order in which they were folded.
func byBatch(tick []observation.Observation) {
	slices.SortStableFunc(tick, func(a, b observation.Observation) int { return a.ObservedAt.Compare(b.ObservedAt) })
	from := 0
	for i := range tick {
		if i+1 == len(tick) || tick[i+1].ObservedAt.Sub(tick[i].ObservedAt) > batchGap {
			slices.SortStableFunc(tick[from:i+1], InOrder)
			from = i + 1
		}
	}
}

// turn returns the ready observations and makes the next tick ready. Ready observations
// that were written after the next tick's first one wait for that tick.
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

// withLate inserts late observations of earlier ticks after those of a tick that were
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

// NewestOf returns the newest tick of the observations.
func NewestOf(all []observation.Observation) (tick time.Time) {
	for _, o := range all {
		tick = later(tick, o.Tick)
	}
	return tick
}
