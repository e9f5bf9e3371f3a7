package observation

import (
	"errors"
	"time"
)

// ErrRunClaimed reports that another invocation polls, or has polled, this source at
// this tick. It is not a failure.
var ErrRunClaimed = errors.New("this source was already polled at this tick, or is being polled now")

// RunState is the state of a poll of one source at one tick.
type RunState string

// The states of a run. A running run whose lease has ended was lost and may be
// claimed again. Partial means that some pages or items could not be read.
const (
	RunRunning RunState = "running"
	RunOK      RunState = "ok"
	RunPartial RunState = "partial"
	RunFailed  RunState = "failed"
	// RunSkipped sent no request: the vendor's rate limit was still in force.
	RunSkipped RunState = "skipped"
)

// Run is the record of one source polled at one tick. It is first the claim that makes a
// schedule fired twice poll once, and later the result.
type Run struct {
	Source string
	Tick   time.Time
	State  RunState
	// Try counts the runs of this tick, from 1: one that failed may be run again.
	Try int
	// Worker is the random token of the claimant; LeaseUntil ends its claim.
	Worker     string
	LeaseUntil time.Time
	Started    time.Time
	Ended      time.Time
	Requests   int
	// Limited are the requests that the vendor's rate limit refused.
	Limited int
	Retries int
	Waited  time.Duration
	Items   int
	Failing int
	Healthy int
	Unknown int
	// Written is how many observations this run created.
	Written int
	// Problems are the first few things that went wrong, redacted.
	Problems []string
	// NewKeys are the keys that this run reported as failing and that were neither open
	// nor on a streak. The next runs report their health too, even if decide lags
	// behind. NewKeysLeft is how many more there were than the record can hold.
	NewKeys     []string
	NewKeysLeft int
	// NotBefore is the time before which no run sends the vendor a request; zero if
	// there is no such limit.
	NotBefore time.Time
	// Skew is how far the vendor's clock is ahead of ours; negative if it is behind. No
	// decision reads it.
	Skew time.Duration
}

const (
	// maxRunTries bounds the runs of one tick.
	maxRunTries = 3
	// runAgainAfter is how long after a run's start the next may start. It is less than
	// the schedule's minute, since schedules do not fire on the exact second.
	runAgainAfter = 50 * time.Second
)

// Repeatable reports whether a run has read nothing and its tick may be run again now.
// A source's interval may be a day, which one failed request should not cost. A run that
// has read something, or whose rate limit is still in force, is not repeatable.
func (r Run) Repeatable(now time.Time) bool {
	return (r.State == RunFailed || r.State == RunSkipped) && !r.LastTry() &&
		!now.Before(r.Started.Add(runAgainAfter)) && !now.Before(r.NotBefore)
}

// LastTry reports whether this is the last run of its tick, even if it fails.
func (r Run) LastTry() bool { return r.Try >= maxRunTries }
