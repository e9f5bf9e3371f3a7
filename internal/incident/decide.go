package incident

import (
	"github.com/ringonce/ringonce/internal/observation"
)

// Decide folds one observation into a state. It returns the state that
// follows, what to do about it, and why. It is pure and total: the same input
// gives the same output, and no input is an error.
//
// Unknown, stale and repeated observations return the state unchanged.
func Decide(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	if last, seen := s.Sources[o.Source]; seen && !o.Tick.After(last.Tick) {
		return s, None, Reason{Code: StaleObservation}
	}
	switch o.Verdict {
	case observation.Failing:
		return decideFailing(s, o, p)
	case observation.Healthy:
		return decideHealthy(s, o, p)
	default:
		return s, None, Reason{Code: UnknownObservation}
	}
}

func decideFailing(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	counts := o.Tick.After(s.LastFailing)
	s = s.withVerdict(o.Source, SourceVerdict{Verdict: observation.Failing, Tick: o.Tick})
	s.HealthyStreak = 0
	if !counts {
		return s, None, Reason{Code: TickCounted}
	}
	s = s.describedBy(o)
	if s.FailingStreak == 0 && !s.Open {
		s.StreakStart = o.Tick
	}
	s.FailingStreak++
	s.LastFailing = o.Tick
	if s.Open {
		return remindOrWait(s, o, p)
	}
	if s.FailingStreak < p.FailingRequired {
		return s, None, Reason{Code: BelowThreshold, N: s.FailingStreak, Of: p.FailingRequired}
	}
	return opened(s, o, p)
}

func opened(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	reason := Reason{Code: FailingStreakReached, N: s.FailingStreak, Of: p.FailingRequired}
	if s.Episode > 0 && p.ReopenWithin > 0 && o.Tick.Sub(s.ResolvedAt) < p.ReopenWithin {
		reason = Reason{Code: Reopened, At: s.ResolvedAt}
	}
	s.Episode++
	s.Open = true
	s.Sequence = 1
	s.Reminders = 0
	s.OpenedAt = o.Tick
	s.LastNotified = o.Tick
	return s, Open, reason
}

func remindOrWait(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	if p.Cooldown <= 0 {
		return s, None, Reason{Code: RemindersOff}
	}
	if p.MaxReminders > 0 && s.Reminders >= p.MaxReminders {
		return s, None, Reason{Code: MaxReminders, N: s.Reminders, Of: p.MaxReminders}
	}
	if due := s.NextReminder(p); o.Tick.Before(due) {
		return s, None, Reason{Code: CooldownActive, At: due}
	}
	s.Sequence++
	s.Reminders++
	s.LastNotified = o.Tick
	return s, Remind, Reason{Code: CooldownElapsed}
}

func decideHealthy(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	// A failing tick of another source at this tick or later outranks it; so
	// does a healthy tick that another source has counted already.
	counts := o.Tick.After(s.LastFailing) && o.Tick.After(s.LastHealthy)
	s = s.withVerdict(o.Source, SourceVerdict{Verdict: observation.Healthy, Tick: o.Tick})
	if other, failing := s.failingElsewhere(o.Source, o.Tick, p.StaleAfter); failing {
		return s, None, Reason{Code: OtherSourceFailing, Source: other}
	}
	if !counts {
		return s, None, Reason{Code: TickCounted}
	}
	s.LastHealthy = o.Tick
	s.FailingStreak = 0
	if !s.Open {
		s.HealthyStreak = 0
		return s, None, Reason{Code: NothingOpen}
	}
	s.HealthyStreak++
	if s.HealthyStreak < p.HealthyRequired {
		return s, None, Reason{Code: HealthyStreak, N: s.HealthyStreak, Of: p.HealthyRequired}
	}
	return resolved(s, o, p)
}

func resolved(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	reason := Reason{Code: Recovered, N: s.HealthyStreak, Of: p.HealthyRequired}
	if o.Missing {
		reason.Code = NoLongerReported
	}
	s.Open = false
	s.Sequence++
	s.HealthyStreak = 0
	s.ResolvedAt = o.Tick
	s.LastNotified = o.Tick
	return s, Resolve, reason
}

// describedBy keeps what the newest failing observation said.
func (s State) describedBy(o observation.Observation) State {
	s.Kind, s.Parts, s.Source, s.Owner = o.Kind, o.Parts, o.Source, o.Owner
	s.Summary, s.Evidence = o.Summary, o.Evidence
	return s
}
