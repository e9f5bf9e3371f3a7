package incident

import (
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// missedPolls is how many intervals may pass between two answers before the
// source counts as not asked: one poll may be late or still running.
const missedPolls = 2

// Answering tells since when a source has answered every poll in full.
type Answering struct {
	// Since and Last are the first and last tick of the unbroken row of
	// complete answers; both are zero when the last answer was none.
	Since time.Time
	Last  time.Time
	// Interval is the time between two polls.
	Interval time.Duration
}

// AnsweringFrom reads it off a source's poll runs, newest first. It stops at
// the first run that did not bring everything and at the first gap, so the runs
// of one StaleAfter are enough. A run that is still running is passed over
// while it is the newest; an older one was lost.
func AnsweringFrom(runs []observation.Run, interval time.Duration) Answering {
	a := Answering{Interval: interval}
	for i, r := range runs {
		if i == 0 && r.State == observation.RunRunning {
			continue
		}
		gap := !a.Since.IsZero() && a.Since.Sub(r.Tick) > missedPolls*interval
		if r.State != observation.RunOK || gap {
			return a
		}
		if a.Last.IsZero() {
			a.Last = r.Tick
		}
		a.Since = r.Tick
	}
	return a
}

// at reports whether the source counts as answering at the tick.
func (a Answering) at(tick time.Time) bool {
	return !a.Since.IsZero() && tick.Sub(a.Last) <= missedPolls*a.Interval
}
