package incident

import (
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

func decideHealthy(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	// The tick does not count if another source reported failing at this tick or
	// later, or has already counted it as healthy.
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

// HealthyNeeded returns how many consecutive healthy ticks resolve the incident
// in its current state.
func (s State) HealthyNeeded(p Policy) int {
	if s.Flapping && p.damps() {
		return max(p.HealthyRequired, p.FlapStableTicks)
	}
	return p.HealthyRequired
}

// closed ends the episode and resets the streaks, so the next one starts fresh.
func (s State) closed(tick time.Time) State {
	s.Open = false
	s.Flapping = false
	s.Ack = Acknowledgement{}
	s.Sequence++
	s.FailingStreak, s.HealthyStreak, s.BrokenStreak = 0, 0, 0
	s.ResolvedAt = tick
	s.LastNotified = later(s.LastNotified, tick)
	return s
}
