package explain

import (
	"maps"
	"slices"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Two things change a state and are written nowhere: that a streak has lapsed,
// and that a source was removed, whose last word counts no more. What follows
// tells whether it was so, and since when; until then both states are gone on
// with.

// fitting judges an observation from each state that there may be, the likeliest
// first, and keeps those that give what the log has.
func (r *replay) fitting(o observation.Observation, policies []incident.Policy) judgement {
	want := r.wanted(o.Tick)
	worlds := r.worlds(o, policies)
	if len(worlds) == 0 {
		return r.likeliest(r.state, o, policies, want)
	}
	var fits []judgement
	for _, s := range worlds {
		if j := r.likeliest(s, o, policies, want); j.action == want {
			fits = append(fits, j)
		}
	}
	r.others = r.others[:0]
	if len(fits) == 0 {
		return r.likeliest(worlds[0], o, policies, want)
	}
	if want == incident.None {
		r.keepOthers(fits)
		return fits[0]
	}
	// Several may act; the one that does for the same reason is what happened.
	because := func(j judgement) bool { return j.reason.String() == r.log[r.next].Reason }
	return fits[max(0, slices.IndexFunc(fits, because))]
}

// worlds are the states that there may be before an observation; none when there is
// one alone. A lapse is likelier than none: while a source is out, it is seen as
// unknown.
func (r *replay) worlds(o observation.Observation, policies []incident.Policy) []incident.State {
	lapsed, mayHaveLapsed := r.lapsed(o, policies)
	removed, mayBeRemoved := r.withoutRemoved()
	if !mayHaveLapsed && !mayBeRemoved && len(r.others) == 0 {
		return nil
	}
	var worlds []incident.State
	if mayHaveLapsed {
		worlds = append(worlds, lapsed)
	}
	worlds = append(append(worlds, r.state), r.others...)
	if mayBeRemoved {
		worlds = append(worlds, removed)
	}
	return worlds
}

// keepOthers keeps the states that are not the first one, each once.
func (r *replay) keepOthers(fits []judgement) {
	type streaks struct{ failing, healthy, broken int }
	of := func(s incident.State) streaks { return streaks{s.FailingStreak, s.HealthyStreak, s.BrokenStreak} }
	known := map[streaks]bool{}
	for i, j := range fits {
		if !known[of(j.state)] && i > 0 {
			r.others = append(r.others, j.state)
		}
		known[of(j.state)] = true
	}
}

// adoptOthers lets the other states take over a decision that no observation led to.
func (r *replay) adoptOthers(d incident.Decision) {
	if d.Action.Observed() {
		r.others = r.others[:0]
	}
	for i := range r.others {
		r.others[i] = adopt(r.others[i], d)
	}
}

// lapsed is the state without its streak, if nothing was seen of it for so long that
// the streak may have lapsed.
func (r *replay) lapsed(o observation.Observation, policies []incident.Policy) (incident.State, bool) {
	if r.state.Open || r.state.FailingStreak == 0 || r.seen.IsZero() {
		return r.state, false
	}
	for _, p := range policies {
		s, _, reason := incident.Lapse(r.state, o.Tick, p, incident.Heard{Observed: r.seen})
		if reason.Code == incident.Lapsed {
			return s, true
		}
	}
	return r.state, false
}

// withoutRemoved is the state without the failing verdicts of sources that the
// incident's row has forgotten since, because they are configured no more.
func (r *replay) withoutRemoved() (incident.State, bool) {
	removed := func(id string, v incident.SourceVerdict) bool {
		_, known := r.stored.Sources[id]
		return !known && v.Verdict == observation.Failing
	}
	found := false
	for id, v := range r.state.Sources {
		found = found || removed(id, v)
	}
	if !found || len(r.stored.Sources) == 0 {
		return r.state, false
	}
	s := r.state
	s.Sources = maps.Clone(s.Sources)
	maps.DeleteFunc(s.Sources, removed)
	return s, true
}
