package incident

import (
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// Heard is what Lapse knows about the sources and observations of a key beyond
// its state.
type Heard struct {
	// Answering maps every configured source that has reported the key to the
	// period in which it has answered. A missing source is no longer configured.
	Answering map[string]Answering
	// Observed is the tick of the newest stored observation of the key with any
	// verdict, or zero if none is stored. It covers unknown observations ("No
	// Data", a paused check), which do not change the state although the key is
	// still reported.
	Observed time.Time
}

// Lapse ends a key that no source reports any longer: an open incident resolves
// as no longer reported, and a failing streak that has not opened is reset. It
// runs for active keys at a tick of its own, independently of Decide.
//
// A vendor's outage or a missed poll lapses nothing. Every configured source that
// has reported the key must have answered every poll completely, without listing
// the key, for the policy's whole StaleAfter. A source that is no longer
// configured does not block a lapse, since it will not report again. If
// StaleAfter is zero, nothing lapses.
func Lapse(s State, tick time.Time, p Policy, h Heard) (State, Action, Reason) {
	switch {
	case !s.Active():
		return s, None, Reason{Code: NothingOpen}
	case p.StaleAfter <= 0:
		return s, None, Reason{Code: LapseOff}
	}
	if source, ok := s.notAnswering(tick, h.Answering); ok {
		return s, None, Reason{Code: SourceNotAnswering, Source: source}
	}
	evidence := s.lastEvidence(h.Observed)
	if due := s.lapseDue(evidence, p, h.Answering); tick.Before(due) {
		return s, None, Reason{Code: EvidenceRecent, At: due}
	}
	wasOpen := s.Open
	s = s.withoutFailing()
	s.FailingStreak, s.BrokenStreak = 0, 0
	if !wasOpen {
		return s, None, Reason{Code: Lapsed, At: evidence}
	}
	return s.closed(tick), Resolve, Reason{Code: Lapsed, At: evidence}
}

// notAnswering returns the lexically first configured source that has reported
// the key and is not answering at the tick.
func (s State) notAnswering(tick time.Time, all map[string]Answering) (string, bool) {
	found := ""
	for id := range s.Sources {
		a, configured := all[id]
		if configured && !a.at(tick) && (found == "" || id < found) {
			found = id
		}
	}
	return found, found != ""
}

// lastEvidence returns the newest tick at which any source reported the key.
func (s State) lastEvidence(observed time.Time) time.Time {
	newest := later(observed, later(s.LastFailing, s.LastHealthy))
	for _, v := range s.Sources {
		newest = later(newest, v.Tick)
	}
	return newest
}

// lapseDue returns the tick from which the key may lapse: StaleAfter after the
// last evidence, or after the first answer of the source that has been answering
// for the shortest time, whichever is later. It is not before any failing verdict
// expires by its own source's policy.
func (s State) lapseDue(evidence time.Time, p Policy, all map[string]Answering) time.Time {
	began := evidence
	var until time.Time
	for id, v := range s.Sources {
		a, configured := all[id]
		if !configured {
			continue
		}
		began = later(began, a.Since)
		if v.Verdict == observation.Failing {
			until = later(until, v.Until)
		}
	}
	return later(began.Add(p.StaleAfter), until)
}
