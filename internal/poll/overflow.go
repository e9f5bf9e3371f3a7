package poll

import (
	"fmt"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// maxExamples is how many overflowing keys an overflow names.
const maxExamples = 5

// flood returns the keys that start to fail in this tick if they exceed the source's
// max_new_incidents, and none otherwise. A malfunctioning vendor or a key with a
// changing part causes that; the keys are reported as one incident. Keys that are
// watched are not new; unlisted is the number of others that are not new either.
func flood(src config.Source, groups []observation.Observation, keys watched, unlisted int) []observation.Observation {
	if src.MaxNewIncidents <= 0 {
		return nil
	}
	var fresh []observation.Observation
	for _, g := range groups {
		if _, known := keys[g.IncidentKey]; !known && g.Verdict == observation.Failing {
			fresh = append(fresh, g)
		}
	}
	if len(fresh)-unlisted <= src.MaxNewIncidents {
		return nil
	}
	return fresh
}

// overflow returns the observation about a flood: failing during one, healthy once a
// complete listing shows none, if its key is watched.
func overflow(src config.Source, overflowed []observation.Observation, complete bool, keys watched) (observation.Observation, bool) {
	o := observation.Observation{
		Kind: incident.KindOverflow, Parts: ownParts(src),
		Source: config.OverflowID(src.ID), Owner: src.Owner,
		Verdict: observation.Healthy, Status: "within_limit",
	}
	key, err := ownKey(o.Kind, src)
	if err != nil {
		// Key fails only without a source id, which validation requires.
		return observation.Observation{}, false
	}
	o.IncidentKey = key
	if len(overflowed) == 0 {
		_, watching := keys[key]
		return o, watching && complete
	}
	o.Verdict, o.Status = observation.Failing, "over_limit"
	o.Summary = fmt.Sprintf("Source %s: %d new failures at once, more than its %d; they are not told one by one", src.ID, len(overflowed), src.MaxNewIncidents)
	o.Evidence.Count = int64(len(overflowed))
	for _, f := range overflowed[:min(len(overflowed), maxExamples)] {
		o.Evidence.Samples = append(o.Evidence.Samples, example(f))
	}
	return o, true
}

func example(o observation.Observation) string {
	if o.Summary != "" {
		return o.Summary
	}
	return o.IncidentKey
}
