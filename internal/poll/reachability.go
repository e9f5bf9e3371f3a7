package poll

import (
	"fmt"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// reachability returns the observation about the source itself. A source that cannot be
// read completely is failing. Whether that opens an incident depends on the policy,
// which requires unreachable_after such polls in a row. A readable source is reported
// only while its key is watched, like any other healthy key.
func reachability(src config.Source, s result, keys watched) (observation.Observation, bool) {
	if src.UnreachableAfter <= 0 {
		return observation.Observation{}, false
	}
	o := observation.Observation{
		Kind:    incident.KindHeartbeat,
		Parts:   ownParts(src),
		Source:  config.ReachabilityID(src.ID),
		Owner:   src.Owner,
		Verdict: observation.Healthy,
		Status:  "readable",
	}
	key, err := ownKey(o.Kind, src)
	if err != nil {
		// Key fails only without a source id, which validation requires.
		return observation.Observation{}, false
	}
	o.IncidentKey = key
	if s.complete {
		_, ok := keys[key]
		return o, ok
	}
	o.Verdict = observation.Failing
	o.Status = "unreadable"
	o.Summary = fmt.Sprintf("Source %s cannot be read", src.ID)
	if s.items > 0 {
		o.Status = "partly_readable"
		o.Summary = fmt.Sprintf("Source %s can be read only in part", src.ID)
	}
	for _, p := range s.problems[:min(len(s.problems), maxSamples)] {
		o.Evidence.Samples = append(o.Evidence.Samples, p.String())
	}
	return o, true
}
