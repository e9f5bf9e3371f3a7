package poll

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// maxSamples is how many sample texts an observation holds.
const maxSamples = 3

// group merges the items that share an incident key into one observation per key, in
// key order. An item without a valid key is reported as a problem.
func group(src config.Source, tick time.Time, items []observation.Item) ([]observation.Observation, []observation.Problem) {
	byKey := make(map[string]observation.Observation, len(items))
	var problems []observation.Problem
	for i, it := range items {
		key, err := incident.Key(it.Kind, it.Parts)
		if err != nil {
			problems = append(problems, observation.Problem{
				Where: fmt.Sprintf("item %d", i+1), What: err.Error() + "; check map.key of source " + src.ID,
			})
			continue
		}
		it, unseen := applyFailingWithin(src, tick, it)
		o := fromItem(key, it)
		o.Unseen = unseen
		if have, ok := byKey[key]; ok {
			o = merge(have, o)
		}
		byKey[key] = o
	}
	out := make([]observation.Observation, 0, len(byKey))
	for _, o := range byKey {
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b observation.Observation) int { return cmp.Compare(a.IncidentKey, b.IncidentKey) })
	return out, problems
}

func fromItem(key string, it observation.Item) observation.Observation {
	return observation.Observation{
		IncidentKey: key, Kind: it.Kind, Parts: readable(it.Parts), Verdict: it.Verdict,
		Status: it.Status, Summary: it.Summary, Evidence: it.Evidence,
	}
}

// maxPart bounds, in bytes, a part's value as stored for a reader. The key is built
// from the whole value.
const maxPart = 500

// readable truncates long values: a vendor may send half a megabyte as a name, which
// would exceed the size of a row.
func readable(parts []observation.Part) []observation.Part {
	if !slices.ContainsFunc(parts, func(p observation.Part) bool { return len(p.Value) > maxPart }) {
		return parts
	}
	out := slices.Clone(parts)
	for i, p := range out {
		if len(p.Value) > maxPart {
			out[i].Value = strings.ToValidUTF8(p.Value[:maxPart-len("…")], "") + "…"
		}
	}
	return out
}

// severity orders the verdicts of items that share a key: one failing item makes the
// key failing, and one unknown item makes a healthy key unknown.
func severity(v observation.Verdict) int {
	switch v {
	case observation.Failing:
		return 2
	case observation.Unknown:
		return 1
	default:
		return 0
	}
}

// merge merges two observations of one key. The worse verdict wins. Between equal
// verdicts the later evidence wins, and counts add up.
func merge(a, b observation.Observation) observation.Observation {
	switch {
	case severity(a.Verdict) > severity(b.Verdict):
		return a
	case severity(a.Verdict) < severity(b.Verdict):
		return b
	}
	if b.Evidence.LastSeen.After(a.Evidence.LastSeen) {
		a, b = b, a
	}
	// One item that is merely no longer seen makes the whole key so.
	a.Unseen = a.Unseen || b.Unseen
	e := &a.Evidence
	// A vendor's count may be near the largest int64; do not overflow.
	e.Count += min(b.Evidence.Count, math.MaxInt64-e.Count)
	if first := b.Evidence.FirstSeen; !first.IsZero() && (e.FirstSeen.IsZero() || first.Before(e.FirstSeen)) {
		e.FirstSeen = first
	}
	e.Samples = slices.Concat(e.Samples, b.Evidence.Samples)
	e.Samples = e.Samples[:min(len(e.Samples), maxSamples)]
	return a
}

// reportedBy returns the watched keys that a source has reported, sorted.
func (w watched) reportedBy(source string) []string {
	var keys []string
	for key, a := range w {
		if slices.Contains(a.Sources, source) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
