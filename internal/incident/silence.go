package incident

import "time"

// EndSilence has an incident that goes on told to those from whom the silence of
// the id kept it. It counts as a notice: the reminders begin anew with it. While
// the incident is on its way to recover nothing is told yet. The tick is the newest
// that the incident is known at.
func EndSilence(s State, tick time.Time, p Policy, id string) (State, Action, Reason) {
	switch {
	case !s.Open:
		return s, None, Reason{Code: NothingOpen}
	case s.HealthyStreak > 0:
		return s, None, Reason{Code: HealthyStreak, N: s.HealthyStreak, Of: s.HealthyNeeded(p)}
	}
	return s.toldAgain(tick), SilenceEnded, Reason{Code: SilenceOver, By: id}
}

// afterItsTick is when the end of a silence is read: a sweep tells it, in the minute
// after the tick that it looks back at. The reminder that is due a minute after that
// tick would come with it.
const afterItsTick = time.Minute

func (s State) toldAgain(tick time.Time) State {
	s.Sequence++
	s.Reminders = 0
	s.LastNotified = later(s.LastNotified, tick.Add(afterItsTick))
	return s
}

// LastTick is the newest tick that a state knows of.
func (s State) LastTick() time.Time { return s.lastEvidence(time.Time{}) }

// Follow lets a state take over a decision of the log that no observation leads
// to. A state that the decision does not fit, such as one of other rules under
// which nothing is open, is left as it is.
func (s State) Follow(d Decision) State {
	if !s.Open {
		return s
	}
	switch d.Action {
	case SilenceEnded:
		return s.toldAgain(d.Tick)
	case Ack:
		s.Ack = Acked{By: ParseReason(d.Reason).By, Note: d.Note, At: d.DecidedAt}
	case Unack:
		s.Ack = Acked{}
	}
	return s
}
