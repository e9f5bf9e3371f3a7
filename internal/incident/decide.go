package incident

import (
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// Decide folds one observation into a state and returns the new state, the
// action to take and the reason. It is pure and total: the same input gives the
// same output, and no input is an error.
//
// Unknown observations, and older or repeated ones of the same source, return
// the state unchanged. Several sources may feed one key: a tick counts once,
// failing outranks healthy, and a healthy tick counts only while no other
// source's last verdict is still failing. The order in which sources report one
// tick therefore does not matter, with one exception: a failing verdict for the
// tick of a resolve does not undo the resolve; it opens a new episode.
//
// If the sources' policies differ, reminders and recovery follow the policy of
// the source that counts the tick. The incident opens as soon as the streak is
// long enough for any source that reports the tick.
func Decide(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	if last, seen := s.Sources[o.Source]; seen && !o.Tick.After(last.Tick) {
		return s, None, Reason{Code: StaleObservation, At: last.Tick}
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
	s = s.withVerdict(o, p)
	// Even a late failing verdict is its source's newest. Healthy ticks counted
	// before it arrived do not prove recovery.
	s.HealthyStreak = 0
	if !counts {
		return alreadyCounted(s, o, p)
	}
	s = s.describedBy(o).withFailingTick(o.Tick)
	if s.Open {
		return stillFailing(s, o, p)
	}
	if s.FailingStreak < p.FailingRequired {
		return s, None, Reason{Code: BelowThreshold, N: s.FailingStreak, Of: p.FailingRequired}
	}
	return opened(s, o, p)
}

// alreadyCounted handles a failing tick that another source has counted. That
// source's policy may require a longer streak than this one's.
func alreadyCounted(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	if !s.Open && o.Tick.Equal(s.LastFailing) && s.FailingStreak >= p.FailingRequired {
		return opened(s.describedBy(o), o, p)
	}
	return s, None, Reason{Code: TickCounted, At: s.LastFailing}
}

// withFailingTick extends the failing streak by one tick.
func (s State) withFailingTick(tick time.Time) State {
	if !tick.After(s.LastHealthy) {
		s.FailingStreak = max(s.FailingStreak, s.BrokenStreak)
	}
	if s.FailingStreak == 0 && !s.Open {
		s.StreakStart = tick
	}
	s.FailingStreak++
	s.BrokenStreak = 0
	s.LastFailing = tick
	return s
}

func opened(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	reason := Reason{Code: FailingStreakReached, N: s.FailingStreak, Of: p.FailingRequired}
	if s.Episode > 0 && p.ReopenWithin > 0 && o.Tick.Sub(s.ResolvedAt) < p.ReopenWithin {
		reason = Reason{Code: Reopened, N: s.Episode, At: s.ResolvedAt}
	}
	s.Episode++
	s.Open = true
	s.Sequence = 1
	s.Reminders = 0
	s.OpenedAt = o.Tick
	s.LastNotified = later(s.LastNotified, o.Tick)
	s.Title = o.Summary
	if s = s.rememberOpen(o.Tick, p); s.Flapping {
		reason = Reason{Code: Flapping, N: len(s.RecentOpens), Window: p.FlapWindow}
	}
	return s, Open, reason
}

func stillFailing(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	if s.Flapping {
		if p.damps() && s.FailingStreak < p.FlapStableTicks {
			return s, None, Reason{Code: FlapDamped, N: s.FailingStreak, Of: p.FlapStableTicks}
		}
		s.Flapping = false
	}
	return remindOrWait(s, o, p)
}

func remindOrWait(s State, o observation.Observation, p Policy) (State, Action, Reason) {
	if p.Cooldown <= 0 {
		return s, None, Reason{Code: RemindersOff}
	}
	if p.MaxReminders > 0 && s.Reminders >= p.MaxReminders {
		return s, None, Reason{Code: MaxReminders, N: s.Reminders, Of: p.MaxReminders}
	}
	if s.Acked() {
		return s, None, Reason{Code: Acknowledged, By: s.Ack.By}
	}
	if due := s.NextReminder(p); o.Tick.Before(due) {
		return s, None, Reason{Code: CooldownActive, At: due}
	}
	s.Sequence++
	s.Reminders++
	s.LastNotified = o.Tick
	return s, Remind, Reason{Code: CooldownElapsed, N: s.Reminders}
}

// describedBy copies the description of the newest failing observation into the
// state. Evidence that an enrichment request added during the same streak is
// kept; the listing updates only its times and count.
func (s State) describedBy(o observation.Observation) State {
	e := o.Evidence
	enriched := s.Enriched && s.Source == o.Source && (s.Open || s.FailingStreak > 0)
	if enriched && !o.Enriched {
		e = s.Evidence.MovedOn(e)
	}
	s.Kind, s.Parts, s.Source, s.Owner = o.Kind, o.Parts, o.Source, o.Owner
	s.Summary, s.Evidence, s.Enriched = o.Summary, e, enriched || o.Enriched
	return s
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
