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

// Two things change a state and are written nowhere: that a streak has lapsed,
// and that a source was removed, whose last word counts no more. What follows
// tells whether it was so, and since when; until then both states are gone on
// with.

// fitting judges an observation from each state that there may be, the likeliest
// first, and keeps those that give what the log has.
func (r *replay) fitting(worlds []incident.State, o observation.Observation, policies []incident.Policy) judgement {
	want := r.wanted(o)
	if len(worlds) == 0 {
		return r.likeliest(r.state, o, policies, want)
	}
	var fits []judgement
	for _, s := range worlds {
		if j := r.likeliest(s, o, policies, want); j.action == want {
			fits = append(fits, j)
		}
	}
	if len(fits) == 0 {
		return r.likeliest(worlds[0], o, policies, want)
	}
	if want != incident.None {
		// Several may act; those that do for the same reason may be what happened.
		if same := r.forItsReason(fits); len(same) > 0 {
			fits = same
		}
	}
	fits[0].others = others(fits)
	return fits[0]
}

// forItsReason are the judgements that give the reason of the next decision.
func (r *replay) forItsReason(fits []judgement) []judgement {
	var same []judgement
	for _, j := range fits {
		if j.reason.String() == r.log[r.next].Reason {
			same = append(same, j)
		}
	}
	return same
}

// worlds are the states that there may be before an observation; none when there is
// one alone. A lapse is likelier than none: while a source is out, it is seen as
// unknown.
func (r *replay) worlds(ctx context.Context, o observation.Observation, policies []incident.Policy) ([]incident.State, error) {
	known := append([]incident.State{r.state}, r.others...)
	var lapsed, removed []incident.State
	for _, s := range known {
		l, ok, err := r.lapsed(ctx, s, o, policies)
		if err != nil {
			return nil, err
		}
		if ok {
			lapsed = append(lapsed, l)
		}
		if w, ok := r.withoutRemoved(s); ok {
			removed = append(removed, w)
		}
	}
	all := slices.Concat(lapsed, known, removed)
	if len(all) == 1 {
		return nil, nil
	}
	return all, nil
}

// others are the states that are not the first one, each once.
func others(fits []judgement) (all []incident.State) {
	known := map[standing]bool{}
	for i, j := range fits {
		of := standingOf(j.state)
		if !known[of] && i > 0 {
			all = append(all, j.state)
		}
		known[of] = true
	}
	return all
}

// standing is all that states may differ in that led to the same actions, as far as
// what follows depends on it.
type standing struct {
	failing, healthy, broken int
	flapping                 bool
	lastFailing, lastHealthy int64
	sources                  string
}

func standingOf(s incident.State) standing {
	var sources strings.Builder
	for _, id := range slices.Sorted(maps.Keys(s.Sources)) {
		if v := s.Sources[id]; v.Verdict == observation.Failing {
			fmt.Fprintf(&sources, "%s %d\n", id, v.Until.UnixNano())
		}
	}
	return standing{
		failing: s.FailingStreak, healthy: s.HealthyStreak, broken: s.BrokenStreak, flapping: s.Flapping,
		lastFailing: s.LastFailing.UnixNano(), lastHealthy: s.LastHealthy.UnixNano(), sources: sources.String(),
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

// lapsed is a state without its streak, if nothing was seen of it for so long that
// the streak may have lapsed, by a policy of any time since.
func (r *replay) lapsed(ctx context.Context, s incident.State, o observation.Observation, policies []incident.Policy) (incident.State, bool, error) {
	if s.Open || s.FailingStreak == 0 || r.seen.IsZero() {
		return s, false, nil
	}
	since, err := r.rules.during(ctx, s.Source, r.seen, o.Tick)
	for _, p := range slices.Concat(policies, since) {
		after, _, reason := incident.Lapse(s, o.Tick, p, incident.Heard{Observed: r.seen})
		if reason.Code == incident.Lapsed {
			return after, true, err
		}
	}
	return s, false, err
}

// withoutRemoved is a state without the failing verdicts of sources that the
// incident's row has forgotten since, because they are configured no more.
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
