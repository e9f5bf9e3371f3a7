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
	// Until is the tick from which the verdict speaks no more, because its
	// source has been silent for the StaleAfter of its own policy; zero is for
	// ever. It is kept here because sources of one key may be polled at very
	// different intervals.
	Until time.Time
}

// failingAt reports whether the verdict still says failing at the tick.
func (v SourceVerdict) failingAt(tick time.Time) bool {
	return v.Verdict == observation.Failing && (v.Until.IsZero() || tick.Before(v.Until))
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
	// BrokenStreak is the failing streak that the healthy tick LastHealthy
	// ended. A failing verdict of another source for that very tick, or for one
	// before it that arrives late, takes the streak up again.
	BrokenStreak int
	// LastFailing and LastHealthy are the newest ticks that counted.
	LastFailing time.Time
	LastHealthy time.Time
	// StreakStart is the tick of the first failure of the current streak or
	// episode.
	StreakStart  time.Time
	OpenedAt     time.Time
	LastNotified time.Time
	ResolvedAt   time.Time
	// KeptAt is the tick at which what is stored of the episode was last given a
	// new time to live; zero while it needed none.
	KeptAt time.Time

	// RecentOpens are the ticks of the last opens, oldest first: as many as
	// flap damping looks at, none when it is off.
	RecentOpens []time.Time
	// Flapping is set by an open that comes too often and cleared once the key
	// is stable again.
	Flapping bool

	// Told are the destinations that were sent a notice of this episode; its
	// resolve goes to them, whatever configuration says by then.
	Told []string

	// Silenced are the destinations from which a silence has kept the last
	// notices of this episode, each with the silence's id, until they are told
	// that it has ended. The ones that are not among Told know nothing of the
	// episode.
	Silenced map[string]string
	// Ack is what a person has said of this episode; zero is nothing.
	Ack Acked

	// Title is the summary that the episode opened with. Messages are titled
	// with it to the end, so that mail of one episode stays one thread.
	Title string

	// Sources holds each source's last verdict that was evidence.
	Sources map[string]SourceVerdict

	// Policies are those by which the sources were judged, oldest first; see Under.
	Policies []InForce

	// What the newest failing observation said; a resolve, which often comes
	// from absence, is told with it.
	Kind     string
	Parts    []observation.Part
	Source   string
	Owner    string
	Summary  string
	Evidence observation.Evidence
	// Enriched tells that the evidence holds what a second request brought. It
	// is asked for once, when the failure is new, so its part of the evidence stays
	// while the streak or the episode lasts.
	Enriched bool
}

// Active reports whether polls must keep telling this key's health: it is
// open, on a failing streak that has not opened yet, or failing by the last
// word of some source.
func (s State) Active() bool {
	if s.Open || s.FailingStreak > 0 {
		return true
	}
	for _, v := range s.Sources {
		if v.Verdict == observation.Failing {
			return true
		}
	}
	return false
}

// KeepSources forgets the verdicts of sources that configuration no longer
// has, so that a vendor that was moved away from cannot hold an incident open.
func (s State) KeepSources(configured func(source string) bool) State {
	var kept map[string]SourceVerdict
	for id := range s.Sources {
		if configured(id) {
			continue
		}
		if kept == nil {
			kept = maps.Clone(s.Sources)
		}
		delete(kept, id)
	}
	if kept != nil {
		s.Sources = kept
	}
	return s
}
