package explain

import (
	"context"
	"slices"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// maxPermuted is how many observations of a tick are tried in every order, and
// maxOthers bounds the states that are gone on with.
const (
	maxPermuted = 3
	maxOthers   = 32
)

// underPolicies is an observation with the policies that it may have been judged by.
type underPolicies struct {
	observation.Observation
	policies []incident.Policy
}

// ordered puts the observations of a tick into an order that gives what the log has.
// In which order decide folded them is written nowhere: as they came, by clocks that
// differ, or sorted where it found them in one batch. It returns as well the states
// that all such orders lead to, and false where none does and there are more orders
// than were tried.
func (r *replay) ordered(ctx context.Context, batch []observation.Observation) (order []observation.Observation, ends []incident.State, told bool, err error) {
	if len(batch) < 2 {
		return batch, nil, true, nil
	}
	all := make([]underPolicies, len(batch))
	for i, o := range batch {
		if all[i].policies, _, err = r.rules.at(ctx, o); err != nil {
			return nil, nil, false, err
		}
		all[i].Observation = o
	}
	for _, one := range orders(all) {
		reached, err := r.reached(ctx, one)
		if err != nil {
			return nil, nil, false, err
		}
		if len(reached) > 0 && order == nil {
			order = observations(one)
			if alike(batch) {
				return order, reached, true, nil // whatever the order
			}
		}
		ends = append(ends, reached...)
	}
	if order == nil {
		return batch, nil, len(batch) <= maxPermuted && ofOneTick(batch) && !r.spokenFor(batch[0].Tick), nil
	}
	return order, ends, true, nil
}

func observations(all []underPolicies) []observation.Observation {
	out := make([]observation.Observation, len(all))
	for i, o := range all {
		out[i] = o.Observation
	}
	return out
}

func ofOneTick(batch []observation.Observation) bool {
	return !slices.ContainsFunc(batch, func(o observation.Observation) bool { return !o.Tick.Equal(batch[0].Tick) })
}

// alike tells that all observations of a tick say the same.
func alike(batch []observation.Observation) bool {
	return ofOneTick(batch) && !slices.ContainsFunc(batch, func(o observation.Observation) bool { return o.Verdict != batch[0].Verdict })
}

// orders are those in which the observations of a tick may have been folded, the
// likeliest first.
func orders(batch []underPolicies) [][]underPolicies {
	if len(batch) <= maxPermuted {
		return permutations(batch)
	}
	came, sorted := slices.Clone(batch), slices.Clone(batch)
	slices.SortStableFunc(came, func(a, b underPolicies) int { return a.ObservedAt.Compare(b.ObservedAt) })
	slices.SortStableFunc(sorted, func(a, b underPolicies) int { return incident.InOrder(a.Observation, b.Observation) })
	return [][]underPolicies{batch, came, sorted}
}

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

// reached are the states that the observations of a tick lead to in an order, if they
// give what the log has of them.
func (r *replay) reached(ctx context.Context, order []underPolicies) (ends []incident.State, err error) {
	from, err := r.worlds(ctx, order[0].Observation, order[0].policies)
	if err != nil {
		return nil, err
	}
	if len(from) == 0 {
		from = []incident.State{r.state}
	}
	for _, s := range from {
		if end, fits := r.fits(s, order); fits {
			ends = append(ends, end)
		}
	}
	return ends, nil
}

// fits tells whether observations lead from a state to what the log has of them, for
// the reasons that it has, and where to.
func (r *replay) fits(s incident.State, order []underPolicies) (end incident.State, ok bool) {
	ahead := *r // only its place in the log moves on
	for _, o := range order {
		j := ahead.likeliest(s, o.Observation, o.policies, ahead.wanted(o.Observation))
		for j.action != ahead.wanted(o.Observation) && ahead.spokenFor(o.Tick) {
			s = adopt(s, ahead.log[ahead.next])
			ahead.next++
			j = ahead.likeliest(s, o.Observation, o.policies, ahead.wanted(o.Observation))
		}
		if j.action != ahead.wanted(o.Observation) {
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
	return s, !slices.ContainsFunc(observations(order), ahead.decidedOn)
}

// alsoAt goes on with states that there may be as well.
func (r *replay) alsoAt(states []incident.State) {
	known := map[standing]bool{standingOf(r.state): true}
	for _, s := range r.others {
		known[standingOf(s)] = true
	}
	for _, s := range states {
		if of := standingOf(s); !known[of] && len(r.others) < maxOthers {
			known[of] = true
			r.others = append(r.others, s)
		}
	}
}
