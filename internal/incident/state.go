package incident

import (
	"maps"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// SourceVerdict is the last thing one source knew about a key.
type SourceVerdict struct {
	Verdict observation.Verdict
	Tick    time.Time
}

// State is the durable memory of one incident key. The zero State, with only
// Key set, is a key that was never seen.
type State struct {
	Key string
	// Version counts the writes of the row; zero means there is no row yet. A
	// store saves a state only over the version it was read at.
	Version int64
	// DecisionSeq numbers the decision records of this key, from 1.
	DecisionSeq int64

	// Episode counts open→resolve cycles, from 1. Open tells whether the
	// current one is still running.
	Episode int
	Open    bool
	// Sequence numbers the actions of the current episode: open is 1.
	Sequence  int
	Reminders int

	FailingStreak int
	HealthyStreak int
	// LastFailing and LastHealthy are the newest ticks that counted.
	LastFailing time.Time
	LastHealthy time.Time
	// StreakStart is the tick of the first failure of the current streak or
	// episode.
	StreakStart  time.Time
	OpenedAt     time.Time
	LastNotified time.Time
	ResolvedAt   time.Time

	// Sources holds each source's last verdict that was evidence.
	Sources map[string]SourceVerdict

	// What the newest failing observation said; a resolve, which often comes
	// from absence, is told with it.
	Kind     string
	Parts    []observation.Part
	Source   string
	Owner    string
	Summary  string
	Evidence observation.Evidence
}

// Active reports whether polls must keep telling this key's health: it is
// open, or on a failing streak that has not opened yet.
func (s State) Active() bool { return s.Open || s.FailingStreak > 0 }

// KeepSources forgets the verdicts of sources that configuration no longer
// has, so that a vendor that was moved away from cannot hold an incident open.
func (s State) KeepSources(configured func(source string) bool) State {
	kept := make(map[string]SourceVerdict, len(s.Sources))
	for id, v := range s.Sources {
		if configured(id) {
			kept[id] = v
		}
	}
	s.Sources = kept
	return s
}

// withVerdict returns the state with one source's verdict replaced. It copies
// the map: Decide never changes its input.
func (s State) withVerdict(source string, v SourceVerdict) State {
	sources := maps.Clone(s.Sources)
	if sources == nil {
		sources = make(map[string]SourceVerdict, 1)
	}
	sources[source] = v
	s.Sources = sources
	return s
}

// failingElsewhere names a source other than the given one whose last verdict
// is failing and not stale at the tick; the lexically first one, so that the
// answer does not depend on map order.
func (s State) failingElsewhere(source string, tick time.Time, staleAfter time.Duration) (string, bool) {
	found := ""
	for id, v := range s.Sources {
		if id == source || v.Verdict != observation.Failing {
			continue
		}
		if staleAfter > 0 && tick.Sub(v.Tick) >= staleAfter {
			continue
		}
		if found == "" || id < found {
			found = id
		}
	}
	return found, found != ""
}
