package poll

import (
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// watched are the keys whose health must be told: open, or on a streak.
type watched map[string]incident.Active

// seen is what one listing comes to.
type seen struct {
	observations []observation.Observation
	problems     []observation.Problem
	// items is how many items the vendor listed, verdicts what they come to.
	items    int
	verdicts map[observation.Verdict]int
	complete bool
	// held is how many new failures were too many to be told one by one.
	held int
	// again tells that nothing was read, and that it will be tried once more.
	again bool
}

// observe is all that a listing comes to: what it tells and what it says about
// the source's own reachability.
func observe(src config.Source, tick time.Time, l observation.Listing, keys watched) seen {
	s := tell(src, tick, l, keys, 0)
	s.observations = append(s.observations, reach(src, tick, s, keys)...)
	return s
}

// reach says whether the source can be read, where that is worth telling.
func reach(src config.Source, tick time.Time, s seen, keys watched) []observation.Observation {
	o, ok := reachability(src, s, keys)
	if !ok || s.again {
		return nil
	}
	o.Tick = tick
	return []observation.Observation{o}
}

// tell turns a listing into the observations worth writing:
//   - a failing key always: presence is evidence, even on a broken page set;
//   - a healthy or unknown key only while it is watched, and healthy only from
//     a complete set, since a lost page may hold another item of that key;
//   - a watched key of this source that a complete set does not hold, by the
//     source's rule for absence;
//   - more new failing keys than the source may have, as one overflow instead
//     of themselves; those that were forgotten only look new.
func tell(src config.Source, tick time.Time, l observation.Listing, keys watched, forgotten int) seen {
	groups, problems := group(src, tick, l.Items)
	s := seen{
		problems: append(append([]observation.Problem{}, l.Problems...), problems...),
		items:    len(l.Items),
		verdicts: map[observation.Verdict]int{},
		complete: l.Complete && len(problems) == 0,
	}
	for _, it := range l.Items {
		it, _ = aged(src, tick, it)
		s.verdicts[it.Verdict]++
	}
	held := flood(src, groups, keys, forgotten)
	s.held = len(held)
	for _, g := range groups {
		if s.worthTelling(g, keys) {
			s.add(g, src, tick)
		}
	}
	if s.complete {
		for _, o := range absent(src, groups, keys) {
			s.add(o, src, tick)
		}
	}
	if o, ok := overflow(src, held, s.complete, keys); ok {
		o.Tick = tick
		s.observations = append(s.observations, o)
	}
	return s
}

func (s *seen) worthTelling(g observation.Observation, keys watched) bool {
	_, known := keys[g.IncidentKey]
	switch g.Verdict {
	case observation.Failing:
		return known || s.held == 0
	case observation.Healthy:
		return known && s.complete
	default:
		return known
	}
}

func (s *seen) add(o observation.Observation, src config.Source, tick time.Time) {
	o.Source, o.Owner, o.Tick = src.ID, src.Owner, tick
	s.observations = append(s.observations, o)
}

// absent tells the health of watched keys that this source has spoken for and
// does not list any more. Where absence means nothing, nothing is said.
func absent(src config.Source, groups []observation.Observation, keys watched) []observation.Observation {
	if src.Absent != config.AbsentHealthy && src.Absent != config.AbsentMissing {
		return nil
	}
	listed := make(map[string]bool, len(groups))
	for _, g := range groups {
		listed[g.IncidentKey] = true
	}
	var out []observation.Observation
	for _, key := range keys.of(src.ID) {
		if !listed[key] {
			out = append(out, observation.Observation{
				IncidentKey: key, Verdict: observation.Healthy, Status: "absent",
				Missing: src.Absent == config.AbsentMissing,
			})
		}
	}
	return out
}
