package explain

import (
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// adopt makes a state agree with a decision that the replay did not reach itself.
// The log does not record streaks, among others: they are approximated.
func adopt(s incident.State, d incident.Decision) incident.State {
	if !d.Action.Observed() {
		s = s.Follow(d)
		s.Episode, s.Sequence = d.Episode, d.Sequence
		return s
	}
	s.Episode, s.Sequence = d.Episode, d.Sequence
	if d.Left > 0 {
		return s
	}
	s.LastNotified = d.Tick
	switch d.Action {
	case incident.Open:
		s.Open, s.Reminders, s.OpenedAt = true, 0, d.Tick
		s.RecentOpens = append(s.RecentOpens[:len(s.RecentOpens):len(s.RecentOpens)], d.Tick)
		s.Flapping = incident.ParseReason(d.Reason).Code == incident.Flapping
		return setFailing(s, d)
	case incident.Remind:
		s.Open = true
		s.Reminders++
		return setFailing(s, d)
	case incident.Resolve:
		s.Open, s.Flapping, s.ResolvedAt = false, false, d.Tick
		s.Ack = incident.Acknowledgement{}
		s.FailingStreak, s.HealthyStreak, s.BrokenStreak = 0, 0, 0
		return setVerdict(s, d, observation.Healthy)
	default:
		return s
	}
}

// setFailing puts a state on a failing streak, of at least the decision's own tick.
func setFailing(s incident.State, d incident.Decision) incident.State {
	if s.StreakStart.IsZero() || d.Action == incident.Open {
		s.StreakStart = d.Tick
	}
	s.FailingStreak, s.HealthyStreak = max(s.FailingStreak, 1), 0
	if d.Tick.After(s.LastFailing) {
		s.LastFailing = d.Tick
	}
	return setVerdict(s, d, observation.Failing)
}

// setVerdict sets the verdict that the decision implies for its source. A recovery
// also implies that no other source is failing any longer.
func setVerdict(s incident.State, d incident.Decision, v observation.Verdict) incident.State {
	sources := map[string]incident.SourceVerdict{}
	for id, known := range s.Sources {
		if v == observation.Healthy && known.Verdict == observation.Failing {
			known.Verdict = observation.Unknown
		}
		sources[id] = known
	}
	if !sources[d.Source].Tick.After(d.Tick) {
		sources[d.Source] = incident.SourceVerdict{Verdict: v, Tick: d.Tick}
	}
	s.Sources = sources
	return s
}
