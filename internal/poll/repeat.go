package poll

import (
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// repeatWithin is the time in which a tick is certain to be run again. The schedule
// fires every minute; the next invocation may come too soon after a run that started
// late, the one after it does not.
const repeatWithin = 2 * time.Minute

// willRepeat reports whether a run has read nothing and its tick will be run again. The
// source's reachability is not reported then: it is reported once per tick, and the
// next run may succeed.
func willRepeat(src config.Source, scheduled time.Time, run observation.Run, l observation.Listing, s result) bool {
	if ended := outcome(run, l, s); run.LastTry() || (ended != observation.RunFailed && ended != observation.RunSkipped) {
		return false
	}
	next := scheduled.Add(repeatWithin)
	if allowed := l.NotBefore.Add(time.Minute); allowed.After(next) {
		next = allowed
	}
	return observation.Tick(next, src.Interval).Equal(run.Tick)
}
