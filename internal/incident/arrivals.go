package incident

import (
	"iter"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// Arrivals restores the order in which decide most likely folded the stored
// observations of one key.
//
// A store returns observations by tick. Decide folds them as they are written, and
// a slow source may write its observation of one tick after another source has
// written that of a later tick. Arrivals takes observations in order of their ticks
// and returns them in batches:
//
//   - The observations of one tick form one batch, ordered by ObservedAt. Those
//     written within [batchGap] of one another are taken to have been folded
//     together and are ordered by [InOrder].
//   - An observation that was written after the first one of the next tick is late.
//     It moves to that tick's batch, between the observations that were written no
//     later than it was and those written after it, and is compared with the tick
//     after that in the same way.
//
// Every observation is returned exactly once. A batch therefore holds one tick and
// what was late for it, and may be empty.
//
// The order is a reconstruction and may be wrong:
//
//   - ObservedAt is a poller's clock. It is zero in rows that were stored without it,
//     which keep the order of their ticks.
//   - If decide was behind, it folded observations that were written far apart in one
//     batch, in the order of ticks. Nothing that is stored shows it.
//
// Arrivals holds in memory the observations of two ticks, and a late one for as many
// ticks as it is late.
//
// The zero Arrivals is ready to use.
type Arrivals struct {
	// ready is the batch to return next: a tick that is complete, and what was
	// late for it. open is the tick that is being taken.
	ready, open []observation.Observation
}

// Take adds an observation, whose tick is not before that of the last one. When the
// observation begins a new tick, Take returns the next batch, if there is one.
func (a *Arrivals) Take(o observation.Observation) []observation.Observation {
	var batch []observation.Observation
	if len(a.open) > 0 && !a.open[0].Tick.Equal(o.Tick) {
		batch = a.next()
	}
	a.open = append(a.open, o)
	return batch
}

// Rest yields the remaining batches after the last observation was taken.
func (a *Arrivals) Rest() iter.Seq[[]observation.Observation] {
	return func(yield func([]observation.Observation) bool) {
		for range 2 {
			if !yield(a.next()) {
				return
			}
		}
	}
}

// Holds reports whether a source's observation of a tick was taken and is not
// returned yet.
func (a *Arrivals) Holds(source string, tick time.Time) bool {
	is := func(o observation.Observation) bool { return o.Source == source && o.Tick.Equal(tick) }
	return slices.ContainsFunc(a.ready, is) || slices.ContainsFunc(a.open, is)
}

// next closes the open tick, which becomes ready together with what is late for it,
// and returns the rest of what was ready.
func (a *Arrivals) next() []observation.Observation {
	sortTick(a.open)
	first := firstObserved(a.open)
	var batch, late []observation.Observation
	for _, o := range a.ready {
		if !first.IsZero() && o.ObservedAt.After(first) {
			late = append(late, o)
		} else {
			batch = append(batch, o)
		}
	}
	a.ready, a.open = insertLate(a.open, late), nil
	return batch
}

// batchGap is the longest time between the writes of two observations of one tick that
// are still folded in one batch.
const batchGap = 10 * time.Second

// sortTick sorts the observations of one tick by ObservedAt, and by InOrder those
// that were written within batchGap of the one before.
func sortTick(tick []observation.Observation) {
	slices.SortStableFunc(tick, byObservedAt)
	from := 0
	for i := range tick {
		if i+1 == len(tick) || tick[i+1].ObservedAt.Sub(tick[i].ObservedAt) > batchGap {
			slices.SortStableFunc(tick[from:i+1], InOrder)
			from = i + 1
		}
	}
}

// insertLate returns the observations of a tick with each late one between those
// that were written no later than it was and those that were written after it.
func insertLate(tick, late []observation.Observation) []observation.Observation {
	if len(late) == 0 {
		return tick
	}
	slices.SortStableFunc(late, byObservedAt)
	var out []observation.Observation
	for _, l := range late {
		var after []observation.Observation
		for _, o := range tick {
			if o.ObservedAt.After(l.ObservedAt) {
				after = append(after, o)
			} else {
				out = append(out, o)
			}
		}
		out, tick = append(out, l), after
	}
	return append(out, tick...)
}

func byObservedAt(a, b observation.Observation) int { return a.ObservedAt.Compare(b.ObservedAt) }

// firstObserved returns the earliest ObservedAt that is known; zero if none is.
func firstObserved(all []observation.Observation) (first time.Time) {
	for _, o := range all {
		if at := o.ObservedAt; !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// NewestTick returns the newest tick of some observations.
func NewestTick(all []observation.Observation) (tick time.Time) {
	for _, o := range all {
		tick = later(tick, o.Tick)
	}
	return tick
}
