package incident

import (
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// Heard is what is known about who could have spoken for a key.
type Heard struct {
	// Answering tells, for every configured source, since when it has answered
	// without a break. A source that is not in it is not configured any more.
	Answering map[string]Answering
	// Observed is the tick of the newest stored observation of the key,
	// whatever its verdict; zero when none is stored. It matters for unknown
	// ones ("No Data", a paused check), which leave no trace in a state: such a
	// key is still reported.
	Observed time.Time
}

// Lapse ends what nobody speaks for any more: an open incident resolves as no
// longer reported, a failing streak that has not opened is forgotten. It is
// asked for an active key at a tick of its own, beside Decide.
//
// It ends nothing because a vendor is out, or because nobody asked the vendor.
// Silence counts, for each configured source that has spoken for the key, only
// while that source has been answering in full; each must have been asked and
// answered without naming the key for the whole of the policy's StaleAfter. A
// source that is no longer configured counts as answering: it will not speak
// again. With StaleAfter zero nothing ever lapses.
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

// notAnswering names the lexically first configured source that has spoken for
// the key and does not answer at the tick.
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

// lastEvidence is the newest tick that said anything of the key.
func (s State) lastEvidence(observed time.Time) time.Time {
	newest := later(observed, later(s.LastFailing, s.LastHealthy))
	for _, v := range s.Sources {
		newest = later(newest, v.Tick)
	}
	return newest
}

// lapseDue is the tick at which the silence will have lasted long enough: it
// began with the last evidence, or with the first answer of the source that
// has been answering for the shortest time, whichever is later. A failing
// verdict also keeps the time that its own source's policy gave it.
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
