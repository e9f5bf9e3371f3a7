package explain

import (
	"context"
	"slices"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

const (
	// maxPermuted is the size up to which every order of a batch is tried.
	maxPermuted = 3
	// maxAlternatives bounds the states that the replay keeps beside its own.
	maxAlternatives = 32
)

// candidate is an observation with the policies that may have been in force.
type candidate struct {
	observation.Observation
	policies []incident.Policy
}

// foldingOrder returns the observations of a batch in the likeliest order that agrees
// with the log, and the states that all such orders lead to. The order in which decide
// folded them is recorded nowhere: it is that of arrival, by clocks that differ, or a
// sorted one if they came in one stream batch. The third result is false if no order
// agrees although some were not tried: the log may be right then.
func (r *replay) foldingOrder(ctx context.Context, batch []observation.Observation) (order []observation.Observation, ends []incident.State, certain bool, err error) {
	if len(batch) < 2 {
		return batch, nil, true, nil
	}
	all := make([]candidate, len(batch))
	for i, o := range batch {
		if all[i].policies, _, err = r.policies.policiesFor(ctx, o); err != nil {
			return nil, nil, false, err
		}
		all[i].Observation = o
	}
	for _, one := range possibleOrders(all) {
		reached, err := r.statesAfter(ctx, one)
		if err != nil {
			return nil, nil, false, err
		}
		if len(reached) > 0 && order == nil {
			order = observationsOf(one)
			if alike(batch) {
				return order, reached, true, nil // every order leads to the same
			}
		}
		ends = append(ends, reached...)
	}
	if order == nil {
		return batch, nil, len(batch) <= maxPermuted && ofOneTick(batch) && !r.unobservedNext(batch[0].Tick), nil
	}
	return order, ends, true, nil
}

func observationsOf(all []candidate) []observation.Observation {
	out := make([]observation.Observation, len(all))
	for i, c := range all {
		out[i] = c.Observation
	}
	return out
}

func ofOneTick(batch []observation.Observation) bool {
	return !slices.ContainsFunc(batch, func(o observation.Observation) bool { return !o.Tick.Equal(batch[0].Tick) })
}

// alike reports whether the observations of a batch have one tick and one verdict.
func alike(batch []observation.Observation) bool {
	return ofOneTick(batch) && !slices.ContainsFunc(batch, func(o observation.Observation) bool { return o.Verdict != batch[0].Verdict })
}

// possibleOrders returns the orders in which a batch may have been folded, the
// likeliest first: all of a small batch, else as given, by arrival, and sorted as
// decide sorts a stream batch.
func possibleOrders(batch []candidate) [][]candidate {
	if len(batch) <= maxPermuted {
		return permutations(batch)
	}
	arrived, sorted := slices.Clone(batch), slices.Clone(batch)
	slices.SortStableFunc(arrived, func(a, b candidate) int { return a.ObservedAt.Compare(b.ObservedAt) })
	slices.SortStableFunc(sorted, func(a, b candidate) int { return incident.InOrder(a.Observation, b.Observation) })
	return [][]candidate{batch, arrived, sorted}
}

// permutations returns every order of some elements, beginning with the given one.
func permutations[T any](of []T) (all [][]T) {
	if len(of) < 2 {
		return [][]T{of}
	}
	for i, first := range of {
		for _, rest := range permutations(slices.Delete(slices.Clone(of), i, i+1)) {
			all = append(all, append([]T{first}, rest...))
		}
	}
	return all
}

// statesAfter returns the states that a batch in one order leads to, from each
// possible state from which it agrees with the log.
func (r *replay) statesAfter(ctx context.Context, order []candidate) (ends []incident.State, err error) {
	from, err := r.possibleStates(ctx, order[0].Observation, order[0].policies)
	if err != nil {
		return nil, err
	}
	if len(from) == 0 {
		from = []incident.State{r.state}
	}
	for _, s := range from {
		if end, agrees := r.foldAhead(s, order); agrees {
			ends = append(ends, end)
		}
	}
	return ends, nil
}

// foldAhead decides on the observations one after another, from a state, and reports
// whether that gives the next decisions of the log with their reasons. The replay
// itself does not move.
func (r *replay) foldAhead(s incident.State, order []candidate) (end incident.State, agrees bool) {
	ahead := *r // only its place in the log moves
	for _, o := range order {
		j := decideBy(o.policies, s, o.Observation, ahead.loggedAction(o.Observation))
		for j.action != ahead.loggedAction(o.Observation) && ahead.unobservedNext(o.Tick) {
			s = adopt(s, ahead.log[ahead.next])
			ahead.next++
			j = decideBy(o.policies, s, o.Observation, ahead.loggedAction(o.Observation))
		}
		if j.action != ahead.loggedAction(o.Observation) {
			return s, false
		}
		s = j.state
		if j.action == incident.None {
			continue
		}
		d := ahead.log[ahead.next]
		if d.Left > 0 || d.Reason != j.reason.String() {
			return s, false
		}
		s.Episode, s.Sequence = d.Episode, d.Sequence
		ahead.next++
	}
	return s, !slices.ContainsFunc(observationsOf(order), ahead.decidedOn)
}

// addAlternatives adds states to the alternatives, up to maxAlternatives.
func (r *replay) addAlternatives(states []incident.State) {
	if len(states) == 0 {
		return
	}
	limit := max(maxAlternatives, len(r.alternatives))
	r.alternatives = appendDistinct(r.alternatives, r.state, states)
	r.alternatives = r.alternatives[:min(limit, len(r.alternatives))]
}
