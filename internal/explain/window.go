package explain

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Query says which part of an incident's history to explain; its zero value is
// all of it.
type Query struct {
	// Episode, when it is not zero, is the only one shown.
	Episode int
	// From and To bound the ticks shown, both included; zero leaves that end open.
	From, To time.Time
}

func (q Query) holds(tick time.Time, episode int) bool {
	return (q.Episode == 0 || q.Episode == episode) &&
		!tick.Before(q.From) && (q.To.IsZero() || !tick.After(q.To))
}

// episodeOf says which episode a judgement belongs to: the one that is open or
// was just closed, or the one that a failing streak leads up to. Zero is none.
func episodeOf(after incident.State, a incident.Action) int {
	switch {
	case after.Open || a != incident.None:
		return after.Episode
	case after.FailingStreak > 0:
		return after.Episode + 1
	default:
		return 0
	}
}
