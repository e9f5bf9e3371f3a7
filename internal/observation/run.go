package observation

import (
	"errors"
	"time"
)

// ErrRunClaimed reports that another invocation polls, or has polled, this
// source at this tick. It is no failure.
var ErrRunClaimed = errors.New("this source was already polled at this tick, or is being polled now")

// RunState is how a poll of one source at one tick stands.
type RunState string

// The states of a run. A running run whose lease has ended was lost and may be
// claimed again. Partial means that some pages or items could not be read.
const (
	RunRunning RunState = "running"
	RunOK      RunState = "ok"
	RunPartial RunState = "partial"
	RunFailed  RunState = "failed"
	// RunSkipped asked nobody: the vendor's rate limit was not over yet.
	RunSkipped RunState = "skipped"
)

// Run is the record of one source polled at one tick: the claim that makes a
// schedule fired twice poll once, and afterwards what came of it.
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
	// NewKeys are keys that this run reported as failing while neither an incident nor
	// a streak of theirs was known. The next runs report their health as well, even
	// when deciding lags behind. NewKeysLeft is how many more there were than a run
	// remembers.
	NewKeys     []string
	NewKeysLeft int
	// NotBefore is until when the vendor is left alone: no later run asks it
	// before. Zero when it may be asked.
	NotBefore time.Time
	// Skew is how far the vendor's clock runs ahead of ours, or behind where it
	// is negative, as far as its times tell. No decision reads it.
	Skew time.Duration
}

const (
	// maxRunTries bounds the runs of one tick.
	maxRunTries = 3
	// runAgainAfter is how long after a run's start the next may start. The
	// schedule comes every minute; less than one, since it is never on the dot.
	runAgainAfter = 50 * time.Second
)

// Repeatable reports whether a run has read nothing and its tick may be run
// again: an interval may be a day, and a hiccup need not cost it. A run that
// read something may not, nor one whose vendor still wants to be left alone.
func (r Run) Repeatable(now time.Time) bool {
	return (r.State == RunFailed || r.State == RunSkipped) && !r.LastTry() &&
		!now.Before(r.Started.Add(runAgainAfter)) && !now.Before(r.NotBefore)
}

// LastTry reports whether the tick is not run again, whatever comes of this run.
func (r Run) LastTry() bool { return r.Try >= maxRunTries }
