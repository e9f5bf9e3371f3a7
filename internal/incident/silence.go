package incident

import "time"

// EndSilence announces an open incident to the destinations that the silence with
// the given id had suppressed. The announcement counts as a notification and
// restarts the reminders. During a healthy streak EndSilence returns None. The tick
// is not before the state's LastTick.
func EndSilence(s State, tick time.Time, p Policy, id string) (State, Action, Reason) {
	switch {
	case !s.Open:
		return s, None, Reason{Code: NothingOpen}
	case s.HealthyStreak > 0:
		return s, None, Reason{Code: HealthyStreak, N: s.HealthyStreak, Of: s.HealthyNeeded(p)}
	}
	return s.announcedAgain(tick), SilenceEnded, Reason{Code: SilenceOver, By: id}
}

// announcementDelay is how long after its tick the end of a silence is announced: a
// sweep's tick lies a minute in the past. Without it a reminder due a minute after
// that tick would be sent together with the announcement.
const announcementDelay = time.Minute

func (s State) announcedAgain(tick time.Time) State {
	s.Sequence++
	s.Reminders = 0
	s.LastNotified = later(s.LastNotified, tick.Add(announcementDelay))
	return s
}

// LastTick returns the newest tick recorded in the state.
func (s State) LastTick() time.Time { return s.lastEvidence(time.Time{}) }

// Follow applies a logged decision that no observation produces. It returns the
// state unchanged if the decision does not apply, for example if nothing is open
// under the policy being replayed.
func (s State) Follow(d Decision) State {
	if !s.Open {
		return s
	}
	switch d.Action {
	case SilenceEnded:
		return s.announcedAgain(d.Tick)
	case Ack:
		s.Ack = Acknowledgement{By: ParseReason(d.Reason).By, Note: d.Note, At: d.DecidedAt}
	case Unack:
		s.Ack = Acknowledgement{}
	}
	return s
}
