package poll

import (
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// schedulesLeft is how long the schedule, which comes every minute, must go on for
// the same tick to be counted on: the next invocation may come too soon after a
// run that began late, the one after it does not.
const schedulesLeft = 2 * time.Minute

// comesAgain reports whether a run has read nothing and its tick will be run once
// more. Then nothing is said of the source yet: a source has one word a tick, and
// a minute later it may be read whole.
func comesAgain(src config.Source, scheduled time.Time, run observation.Run, l observation.Listing, s seen) bool {
	if ended := outcome(run, l, s); run.LastTry() || (ended != observation.RunFailed && ended != observation.RunSkipped) {
		return false
	}
	next := scheduled.Add(schedulesLeft)
	if rested := l.NotBefore.Add(time.Minute); rested.After(next) {
		next = rested
	}
	return observation.Tick(next, src.Interval).Equal(run.Tick)
}
