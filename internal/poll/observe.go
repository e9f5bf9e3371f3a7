package poll

import (
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// watched holds the keys whose health must be reported: open, or on a streak.
type watched map[string]incident.Active

// result is the interpretation of one listing.
type result struct {
	observations []observation.Observation
	problems     []observation.Problem
	// items is how many items the vendor listed; verdicts counts their verdicts.
	items    int
	verdicts map[observation.Verdict]int
	complete bool
	// overflowed is how many new failures are reported only as an overflow.
	overflowed int
	// repeats reports that nothing was read and that the tick will be run again.
	repeats bool
}

// observe interprets a listing, including the source's own reachability.
func observe(src config.Source, tick time.Time, l observation.Listing, keys watched) result {
	s := interpret(src, tick, l, keys, 0)
	s.observations = append(s.observations, reportReachability(src, tick, s, keys)...)
	return s
}

// reportReachability returns the observation about the source's reachability, if one
// must be written.
func reportReachability(src config.Source, tick time.Time, s result, keys watched) []observation.Observation {
	o, ok := reachability(src, s, keys)
	if !ok || s.repeats {
		return nil
	}
	o.Tick = tick
	return []observation.Observation{o}
}

// interpret turns a listing into the observations to write:
//   - every failing key: presence is evidence even in an incomplete listing;
//   - a healthy or unknown key only while it is watched, and healthy only from a
//     complete listing, since a missing page may hold another item of that key;
//   - a watched key of this source that a complete listing does not contain, by the
//     source's rule for absence;
//   - one overflow in place of the new failing keys if they exceed max_new_incidents,
//     not counting the unlisted ones, which only look new.
func interpret(src config.Source, tick time.Time, l observation.Listing, keys watched, unlisted int) result {
	groups, problems := group(src, tick, l.Items)
	s := result{
		problems: append(append([]observation.Problem{}, l.Problems...), problems...),
		items:    len(l.Items),
		verdicts: map[observation.Verdict]int{},
		complete: l.Complete && len(problems) == 0,
	}
	for _, it := range l.Items {
		it, _ = applyFailingWithin(src, tick, it)
		s.verdicts[it.Verdict]++
	}
	overflowed := flood(src, groups, keys, unlisted)
	s.overflowed = len(overflowed)
	for _, g := range groups {
		if s.worthWriting(g, keys) {
			s.add(g, src, tick)
		}
	}
	if s.complete {
		for _, o := range absent(src, groups, keys) {
			s.add(o, src, tick)
		}
	}
	if o, ok := overflow(src, overflowed, s.complete, keys); ok {
		o.Tick = tick
		s.observations = append(s.observations, o)
	}
	return s
}

func (s *result) worthWriting(g observation.Observation, keys watched) bool {
	_, known := keys[g.IncidentKey]
	switch g.Verdict {
	case observation.Failing:
		return known || s.overflowed == 0
	case observation.Healthy:
		return known && s.complete
	default:
		return known
	}
}

func (s *result) add(o observation.Observation, src config.Source, tick time.Time) {
	o.Source, o.Owner, o.Tick = src.ID, src.Owner, tick
	s.observations = append(s.observations, o)
}

// absent returns a healthy observation for each watched key that this source has
// reported and no longer lists. It returns nothing for sources whose absence means
// nothing.
func absent(src config.Source, groups []observation.Observation, keys watched) []observation.Observation {
	if src.Absent != config.AbsentHealthy && src.Absent != config.AbsentMissing {
		return nil
	}
	listed := make(map[string]bool, len(groups))
	for _, g := range groups {
		listed[g.IncidentKey] = true
	}
	var out []observation.Observation
	for _, key := range keys.reportedBy(src.ID) {
		if !listed[key] {
			out = append(out, observation.Observation{
				IncidentKey: key, Verdict: observation.Healthy, Status: "absent",
				Missing: src.Absent == config.AbsentMissing,
			})
		}
	}
	return out
}
