package incident

import (
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

func decideHealthy(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	// A failing tick of another source at this tick or later outranks it; so
	// does a healthy tick that another source has counted already.
	counts := o.Tick.After(s.LastFailing) && o.Tick.After(s.LastHealthy)
	s = s.withVerdict(o, p)
	if other, failing := s.failingSource(o.Tick); failing {
		return s, None, Reason{Code: OtherSourceFailing, Source: other}
	}
	if !counts {
		return s, None, Reason{Code: TickCounted, At: later(s.LastFailing, s.LastHealthy)}
	}
	s = s.withoutFailing()
	s.LastHealthy = o.Tick
	s.BrokenStreak, s.FailingStreak = s.FailingStreak, 0
	if !s.Open {
		s.HealthyStreak = 0
		return s, None, Reason{Code: NothingOpen}
	}
	s.HealthyStreak++
	if need := s.HealthyNeeded(p); s.HealthyStreak < need {
		return s, None, Reason{Code: HealthyStreak, N: s.HealthyStreak, Of: need}
	}
	return resolved(s, o, p)
}

func resolved(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	reason := Reason{Code: Recovered, N: s.HealthyStreak, Of: s.HealthyNeeded(p)}
	switch {
	case o.Missing:
		reason.Code = NoLongerReported
	case o.Unseen:
		reason.Code = NoLongerSeen
	}
	return s.closed(o.Tick), Resolve, reason
}

// HealthyNeeded is how many healthy ticks in a row resolve the incident now.
func (s State) HealthyNeeded(p Policy) int {
	if s.Flapping && p.damps() {
		return max(p.HealthyRequired, p.FlapStableTicks)
	}
	return p.HealthyRequired
}

// closed ends the episode. The next one starts from nothing.
func (s State) closed(tick time.Time) State {
	s.Open = false
	s.Flapping = false
	s.Ack = Acked{}
	s.Sequence++
	s.FailingStreak, s.HealthyStreak, s.BrokenStreak = 0, 0, 0
	s.ResolvedAt = tick
	s.LastNotified = later(s.LastNotified, tick)
	return s
}
