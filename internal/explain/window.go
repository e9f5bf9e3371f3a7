package explain

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Query selects the part of an incident's history to explain. The zero Query selects
// all of it.
type Query struct {
	// Episode is the only episode to show; zero shows all.
	Episode int
	// From and To bound the ticks to show, both inclusive; zero is unbounded.
	From, To time.Time
}

// includes reports whether a tick of an episode is selected.
func (q Query) includes(tick time.Time, episode int) bool {
	return (q.Episode == 0 || q.Episode == episode) &&
		!tick.Before(q.From) && (q.To.IsZero() || !tick.After(q.To))
}

// episodeOf returns the episode that a judgement belongs to, from the state after it:
// the one that is open or was just resolved, or the next one during a failing streak
// that has not opened. Zero is none.
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
