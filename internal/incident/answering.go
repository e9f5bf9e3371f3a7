package incident

import (
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// missedPolls is how many intervals may pass between two complete answers before
// the source counts as not polled. One poll may be late or still running.
const missedPolls = 2

// Answering is the period in which a source has answered every poll completely.
type Answering struct {
	// Since and Last are the first and last tick of the unbroken run of complete
	// answers. Both are zero when the newest finished poll was not complete.
	Since time.Time
	Last  time.Time
	// Interval is the time between two polls.
	Interval time.Duration
}

// AnsweringFrom derives an Answering from a source's poll runs, newest first. It
// stops at the first incomplete run and at the first gap, so the runs of one
// StaleAfter are enough. A running run is skipped if it is the newest; an older
// one was lost.
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
