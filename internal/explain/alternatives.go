package explain

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Two changes of a state are recorded nowhere: a failing streak lapses before it
// opens, and a source is removed from the configuration, which withdraws its last
// verdict. The replay therefore keeps every state that is possible, and drops those
// that later decisions of the log rule out.

// possibleStates returns the states that an observation may have been folded into,
// the likeliest first; nil if there is only the replay's own. If a streak may have
// lapsed, that it did is likelier: a source that cannot be read writes unknown
// observations, so without any it answered and did not name the incident.
func (r *replay) possibleStates(ctx context.Context, o observation.Observation, policies []incident.Policy) ([]incident.State, error) {
	known := append([]incident.State{r.state}, r.alternatives...)
	var lapsed, removed []incident.State
	for _, s := range known {
		after, ok, err := r.lapsed(ctx, s, o, policies)
		if err != nil {
			return nil, err
		}
		if ok {
			lapsed = append(lapsed, after)
		}
		if without, ok := r.withoutRemoved(s); ok {
			removed = append(removed, without)
		}
	}
	all := slices.Concat(lapsed, known, removed)
	if len(all) == 1 {
		return nil, nil
	}
	return all, nil
}

// lapsed returns a state after its failing streak has lapsed, and whether it may
// have: the incident is not open, and the time since the last observation is long
// enough by one of the policies that were in force in it.
func (r *replay) lapsed(ctx context.Context, s incident.State, o observation.Observation, policies []incident.Policy) (incident.State, bool, error) {
	if s.Open || s.FailingStreak == 0 || r.lastTick.IsZero() {
		return s, false, nil
	}
	since, err := r.policies.inForceBetween(ctx, s.Source, r.lastTick, o.Tick)
	for _, p := range slices.Concat(policies, since) {
		after, _, reason := incident.Lapse(s, o.Tick, p, incident.Heard{Observed: r.lastTick})
		if reason.Code == incident.Lapsed {
			return after, true, err
		}
	}
	return s, false, err
}

// withoutRemoved returns a state without the failing verdicts of sources that the
// incident's row no longer has, because they left the configuration, and whether
// there are any.
func (r *replay) withoutRemoved(s incident.State) (incident.State, bool) {
	removed := func(id string, v incident.SourceVerdict) bool {
		_, known := r.stored.Sources[id]
		return !known && v.Verdict == observation.Failing
	}
	found := false
	for id, v := range s.Sources {
		found = found || removed(id, v)
	}
	if !found || len(r.stored.Sources) == 0 {
		return s, false
	}
	s.Sources = maps.Clone(s.Sources)
	maps.DeleteFunc(s.Sources, removed)
	return s, true
}

// judgeFrom decides on an observation from each of the states, or from the replay's
// own if there are none, and returns the likeliest judgement that agrees with the
// log. The states of the others that agree are its alternatives.
func (r *replay) judgeFrom(states []incident.State, o observation.Observation, policies []incident.Policy) judgement {
	want := r.loggedAction(o)
	if len(states) == 0 {
		return decideBy(policies, r.state, o, want)
	}
	var fits []judgement
	for _, s := range states {
		if j := decideBy(policies, s, o, want); j.action == want {
			fits = append(fits, j)
		}
	}
	if len(fits) == 0 {
		return decideBy(policies, states[0], o, want)
	}
	if want != incident.None {
		// Several states may give the action; prefer those that give its reason.
		if same := r.withLoggedReason(fits); len(same) > 0 {
			fits = same
		}
	}
	others := make([]incident.State, len(fits)-1)
	for i, j := range fits[1:] {
		others[i] = j.state
	}
	fits[0].alternatives = appendDistinct(nil, fits[0].state, others)
	return fits[0]
}

// decideBy decides on an observation by the first of the policies that gives the
// wanted action, or by the first of all if none does.
func decideBy(policies []incident.Policy, from incident.State, o observation.Observation, want incident.Action) judgement {
	var first judgement
	for i, p := range policies {
		after, action, reason := incident.Decide(from, o, p)
		j := judgement{observation: o, state: after, policy: p, action: action, reason: reason, episode: episodeOf(after, action)}
		if action == want {
			return j
		}
		if i == 0 {
			first = j
		}
	}
	return first
}

// withLoggedReason returns the judgements whose reason is that of the next decision
// of the log.
func (r *replay) withLoggedReason(fits []judgement) []judgement {
	var same []judgement
	for _, j := range fits {
		if j.reason.String() == r.log[r.next].Reason {
			same = append(same, j)
		}
	}
	return same
}

// appendDistinct appends the states that differ from own, from those in all and from
// one another.
func appendDistinct(all []incident.State, own incident.State, more []incident.State) []incident.State {
	known := map[stateDiff]bool{stateDiffOf(own): true}
	for _, s := range all {
		known[stateDiffOf(s)] = true
	}
	for _, s := range more {
		if of := stateDiffOf(s); !known[of] {
			known[of] = true
			all = append(all, s)
		}
	}
	return all
}

// stateDiff is what may differ between states that led to the same actions and what
// later decisions depend on.
type stateDiff struct {
	failing, healthy, broken int
	flapping                 bool
	lastFailing, lastHealthy int64
	sources                  string
}

func stateDiffOf(s incident.State) stateDiff {
	var sources strings.Builder
	for _, id := range slices.Sorted(maps.Keys(s.Sources)) {
		if v := s.Sources[id]; v.Verdict == observation.Failing {
			fmt.Fprintf(&sources, "%s %d\n", id, v.Until.UnixNano())
		}
	}
	return stateDiff{
		failing: s.FailingStreak, healthy: s.HealthyStreak, broken: s.BrokenStreak, flapping: s.Flapping,
		lastFailing: s.LastFailing.UnixNano(), lastHealthy: s.LastHealthy.UnixNano(), sources: sources.String(),
	}
}

// adoptAlternatives makes the alternatives agree with a decision that was followed.
// One that an observation ought to have led to rules all of them out.
func (r *replay) adoptAlternatives(d incident.Decision) {
	if d.Action.Observed() {
		r.alternatives = r.alternatives[:0]
	}
	for i := range r.alternatives {
		r.alternatives[i] = adopt(r.alternatives[i], d)
	}
}
