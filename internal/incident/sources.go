package incident

import (
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// withVerdict returns the state with the observation as its source's last
// verdict. It copies the map: Decide never changes its input.
func (s State) withVerdict(o observation.Observation, p Policy) State {
	v := SourceVerdict{Verdict: o.Verdict, Tick: o.Tick}
	if p.StaleAfter > 0 {
		v.Until = o.Tick.Add(p.StaleAfter)
	}
	sources := make(map[string]SourceVerdict, len(s.Sources)+1)
	maps.Copy(sources, s.Sources)
	sources[o.Source] = v
	s.Sources = sources
	return s
}

// failingSource names a source whose last verdict still says failing at the
// tick; the lexically first one, so that the answer does not depend on map order.
func (s State) failingSource(tick time.Time) (string, bool) {
	found := ""
	for id, v := range s.Sources {
		if v.failingAt(tick) && (found == "" || id < found) {
			found = id
		}
	}
	return found, found != ""
}

// FailingSources are those whose last verdict says failing, sorted; the source
// that last did so where none does now.
func (s State) FailingSources() []string {
	var ids []string
	for id, v := range s.Sources {
		if v.Verdict == observation.Failing {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return []string{s.Source}
	}
	slices.Sort(ids)
	return ids
}

// withoutFailing turns failing verdicts into unknown ones. It is called when
// the key counts as healthy, so those that are left have gone stale; they keep
// their tick, so that a repeat of them is still known as one.
func (s State) withoutFailing() State {
	var sources map[string]SourceVerdict
	for id, v := range s.Sources {
		if v.Verdict != observation.Failing {
			continue
		}
		if sources == nil {
			sources = maps.Clone(s.Sources)
		}
		sources[id] = SourceVerdict{Verdict: observation.Unknown, Tick: v.Tick}
	}
	if sources != nil {
		s.Sources = sources
	}
	return s
}
