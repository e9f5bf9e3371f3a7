package explain

import (
	"strconv"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// adopt makes a state agree with a decision that it did not lead to. What the
// log does not say, such as streaks, stays as near as can be told.
func adopt(s incident.State, d incident.Decision) incident.State {
	s.Episode, s.Sequence = d.Episode, d.Sequence
	s.LastNotified = d.Tick
	switch d.Action {
	case incident.Open:
		s.Open, s.Reminders, s.OpenedAt = true, 0, d.Tick
		s.RecentOpens = append(s.RecentOpens[:len(s.RecentOpens):len(s.RecentOpens)], d.Tick)
		s.Flapping = parseReason(d.Reason).Code == incident.Flapping
		return stillFailing(s, d)
	case incident.Remind:
		s.Open = true
		s.Reminders++
		return stillFailing(s, d)
	case incident.Resolve:
		s.Open, s.Flapping, s.ResolvedAt = false, false, d.Tick
		s.FailingStreak, s.HealthyStreak, s.BrokenStreak = 0, 0, 0
		return heard(s, d, observation.Healthy)
	default:
		return s
	}
}

func stillFailing(s incident.State, d incident.Decision) incident.State {
	if s.StreakStart.IsZero() || d.Action == incident.Open {
		s.StreakStart = d.Tick
	}
	s.FailingStreak, s.HealthyStreak = max(s.FailingStreak, 1), 0
	if d.Tick.After(s.LastFailing) {
		s.LastFailing = d.Tick
	}
	return heard(s, d, observation.Failing)
}

// heard notes what the decision's source must have said.
func heard(s incident.State, d incident.Decision, v observation.Verdict) incident.State {
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

// parseReason reads a reason back from its text, as far as its words need.
func parseReason(text string) incident.Reason {
	code, rest, _ := strings.Cut(text, " ")
	r := incident.Reason{Code: incident.Code(code)}
	for _, field := range strings.Fields(rest) {
		name, value, named := strings.Cut(field, "=")
		switch {
		case !named:
			n, of, _ := strings.Cut(field, "/")
			r.N, _ = strconv.Atoi(n)
			r.Of, _ = strconv.Atoi(of)
		case name == "last" || name == "next" || name == "last_resolved":
			r.At, _ = time.Parse(time.RFC3339, value)
		case name == "window":
			r.Window, _ = time.ParseDuration(value)
		case name == "source":
			r.Source = value
		default:
			r.N, _ = strconv.Atoi(value)
		}
	}
	return r
}
