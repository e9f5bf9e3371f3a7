package poll

import (
	"fmt"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// maxExamples is how many of the keys that overflow are named.
const maxExamples = 5

// flood finds the keys that start to fail in this tick, where they are more than
// the source may have: a vendor that went wild, or a key with a part that
// changes each time. They are told as one incident. Keys that are open or on a
// streak are not new and keep their lives, nor are as many as were forgotten.
func flood(src config.Source, groups []observation.Observation, keys watched, forgotten int) []observation.Observation {
	if src.MaxNewIncidents <= 0 {
		return nil
	}
	var fresh []observation.Observation
	for _, g := range groups {
		if _, known := keys[g.IncidentKey]; !known && g.Verdict == observation.Failing {
			fresh = append(fresh, g)
		}
	}
	if len(fresh)-forgotten <= src.MaxNewIncidents {
		return nil
	}
	return fresh
}

// overflow is the observation about a flood: failing while there is one, healthy
// once a complete listing shows none and somebody watches.
func overflow(src config.Source, held []observation.Observation, complete bool, keys watched) (observation.Observation, bool) {
	o := observation.Observation{
		Kind: incident.KindOverflow, Parts: ownParts(src),
		Source: config.OverflowID(src.ID), Owner: src.Owner,
		Verdict: observation.Healthy, Status: "within_limit",
	}
	key, err := ownKey(o.Kind, src)
	if err != nil {
		// A validated source has an id, the only thing Key could miss here.
		return observation.Observation{}, false
	}
	o.IncidentKey = key
	if len(held) == 0 {
		_, watching := keys[key]
		return o, watching && complete
	}
	o.Verdict, o.Status = observation.Failing, "over_limit"
	o.Summary = fmt.Sprintf("Source %s: %d new failures at once, more than its %d; they are not told one by one", src.ID, len(held), src.MaxNewIncidents)
	o.Evidence.Count = int64(len(held))
	for _, h := range held[:min(len(held), maxExamples)] {
		o.Evidence.Samples = append(o.Evidence.Samples, example(h))
	}
	return o, true
}

func example(o observation.Observation) string {
	if o.Summary != "" {
		return o.Summary
	}
	return o.IncidentKey
}
