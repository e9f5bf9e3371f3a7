package incident

import (
	"maps"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// SourceVerdict is one source's last verdict about a key.
type SourceVerdict struct {
	Verdict observation.Verdict
	Tick    time.Time
	// Until is the tick at which the verdict expires: Tick plus the StaleAfter of
	// its source's policy. Zero means never. It is stored per source because
	// sources of one key may be polled at very different intervals.
	Until time.Time
}

// failingAt reports whether the verdict is failing and not expired at the tick.
func (v SourceVerdict) failingAt(tick time.Time) bool {
	return v.Verdict == observation.Failing && (v.Until.IsZero() || tick.Before(v.Until))
}

// State is the durable state of one incident key. A State with only Key set is a
// key that was never seen.
type State struct {
	Key string
	// Version counts the writes of the row; zero means there is no row yet. A
	// store overwrites only the version that the state was read at.
	Version int64
	// DecisionSeq numbers the decision records of this key, from 1.
	DecisionSeq int64

	// Episode counts open→resolve cycles, from 1. Open reports whether the current
	// one is unresolved.
	Episode int
	Open    bool
	// Sequence numbers the actions of the current episode: open is 1.
	Sequence  int
	Reminders int

	FailingStreak int
	HealthyStreak int
	// BrokenStreak is the length of the failing streak that the healthy tick
	// LastHealthy ended. Another source's failing verdict for that tick, or a late
	// one for an earlier tick, continues the streak.
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
	// KeptAt is the tick at which the retention of the episode's decisions and
	// messages was last extended; zero if never.
	KeptAt time.Time

	// RecentOpens are the ticks of the last opens, oldest first: as many as flap
	// damping needs, none if it is off.
	RecentOpens []time.Time
	// Flapping is set by an open that exceeds the flap limit and cleared once the
	// key is stable again.
	Flapping bool

	// Told lists the destinations that were notified of this episode. The resolve
	// goes to them even if the owner's configuration has changed since.
	Told []string

	// Silenced maps each destination whose notices of this episode a silence
	// suppresses to the silence's id. An entry stays until the destination is told
	// that the silence has ended. A destination that is not in Told knows nothing
	// of the episode.
	Silenced map[string]string
	// Ack is the acknowledgement of this episode; zero if there is none.
	Ack Acknowledgement

	// Title is the summary that the episode opened with. All its messages use it,
	// so that mail of one episode stays one thread.
	Title string

	// Sources holds each source's last failing or healthy verdict. A failing one
	// that has expired is stored as unknown once the key counts as healthy.
	Sources map[string]SourceVerdict

	// Policies are the policies that the sources were judged by, oldest first; see
	// Under.
	Policies []InForce

	// The fields below describe the newest failing observation. A resolve is
	// announced with them, since absence itself describes nothing.
	Kind     string
	Parts    []observation.Part
	Source   string
	Owner    string
	Summary  string
	Evidence observation.Evidence
	// Enriched reports that an enrichment request has added to the evidence. The
	// request is made once, when the failure is new, so its evidence stays for the
	// rest of the streak or episode.
	Enriched bool
}

// Active reports whether polls must keep reporting this key's health: it is open,
// on a failing streak that has not opened yet, or some source's last verdict is
// failing.
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

// KeepSources drops the verdicts of sources that are no longer configured, so that
// a former vendor cannot hold an incident open.
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
