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

// failingSource returns the lexically first source whose last verdict is still
// failing at the tick. The order keeps the result independent of map iteration.
func (s State) failingSource(tick time.Time) (string, bool) {
	found := ""
	for id, v := range s.Sources {
		if v.failingAt(tick) && (found == "" || id < found) {
			found = id
		}
	}
	return found, found != ""
}

// FailingSources returns the sources whose last verdict is failing, sorted. If
// there is none, it returns the source of the newest failing observation.
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

// withoutFailing replaces failing verdicts by unknown ones. It is called when the
// key counts as healthy, so the remaining failing verdicts are stale. They keep
// their ticks, so that repeated observations are still recognised.
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
