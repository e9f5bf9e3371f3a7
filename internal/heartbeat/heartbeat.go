// Package heartbeat is the use case that monitors the other functions. Once a minute it
// checks the traces of their work in the tables and reports whether all of them run. It
// sends no message, and shares nothing with the parts that deliver.
package heartbeat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/observation"
)

// Store reads the traces that the other functions leave in the tables.
type Store interface {
	Runs(ctx context.Context, source string, limit int) ([]observation.Run, error)
	Beats(ctx context.Context) (map[string]observation.Beat, error)
	PutBeat(ctx context.Context, b observation.Beat) error
	Due(ctx context.Context, now time.Time, limit int) ([]delivery.Due, error)
	Usage(ctx context.Context, from, to time.Time) ([]delivery.Usage, error)
}

// Queue is the failure queue, which holds the records that a function gave up.
type Queue interface {
	Depth(ctx context.Context) (int, error)
}

// The limits tolerate one lost or late tick: schedules fire some seconds after their
// time, and this function checks while the others work.
const (
	// grace is how late a tick may be.
	grace = 30 * time.Second
	// behind is how far one part may be behind the one before it.
	behind = 90 * time.Second
	// unswept is how long ago the last sweep may have been, and how long an item may
	// have been due.
	unswept = 2*time.Minute + grace
	// settling is how long a stack may take to do everything once after a start, a
	// restart or a new configuration: poll polls every source at the next minute,
	// whatever its interval. It is not longer than what a stopped part is allowed.
	settling = unswept
	// paused is the pause in checks after which the stack counts as restarted. The
	// alarm has fired by then, since it treats missing heartbeats as breaching.
	paused = 4 * time.Minute
)

// listed is the maximum number of undelivered items that are counted.
const listed = 1000

// Checker checks one stack.
type Checker struct {
	Config *config.Config
	Store  Store
	Queue  Queue
	// Now is the wall clock, by which items are due. Everything else is measured at the
	// scheduled time.
	Now func() time.Time
}

// Report is the result of a check. Ages and lags are at the scheduled time.
type Report struct {
	// Problems describes each problem in one sentence; empty if there is none.
	Problems []string
	// Settling reports that the stack has just started with this configuration. Work
	// that it may not have reached yet is not a problem.
	Settling bool
	// PollAge is the age of each source's last successful poll, or of the oldest known
	// poll if none succeeded.
	PollAge map[string]time.Duration
	// DecideLag is how long the oldest unfolded poll with observations has waited for
	// decide; DeliverLag is how long unhandled messages have waited for deliver.
	DecideLag  time.Duration
	DeliverLag time.Duration
	SweepAge   time.Duration
	// Undelivered counts items that are not final; OldestUndelivered is the age
	// of the oldest.
	Undelivered       int
	OldestUndelivered time.Duration
	// DeadToday and HeldToday count deliveries since midnight, UTC.
	DeadToday, HeldToday int64
	FailureQueueDepth    int
}

// OK reports whether there is no problem.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

func (r *Report) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// late adds a problem with a part that is late, unless the stack is settling.
func (r *Report) late(format string, args ...any) {
	if !r.Settling {
		r.problem(format, args...)
	}
}

// Check checks everything. Data that cannot be read is a problem too, since it may hide
// any other.
func (c *Checker) Check(ctx context.Context, scheduled time.Time) Report {
	r := Report{PollAge: make(map[string]time.Duration)}
	beats, err := c.Store.Beats(ctx)
	if err == nil {
		watching, lost := c.watch(ctx, beats[observation.BeatHeartbeat], scheduled)
		r.Settling = scheduled.Sub(watching.Since) < settling
		err = errors.Join(lost, c.checkPolls(ctx, &r, scheduled, beats[observation.BeatDecide]),
			c.checkDeliver(ctx, &r, scheduled, beats), c.checkReceipts(ctx, &r, scheduled, beats))
		checkSweep(&r, scheduled, beats[observation.BeatSweep])
	}
	err = errors.Join(err, c.checkOutbox(ctx, &r), c.checkUsage(ctx, &r), c.checkQueue(ctx, &r))
	if err != nil {
		r.problem("what the other functions left cannot be read: %v", err)
	}
	return r
}

// watch records this check, and since when checks have run without a pause and with the
// same configuration. The record is in the tables, since a process that restarts, which
// may happen at every check, must not count as a restart of the stack.
func (c *Checker) watch(ctx context.Context, before observation.Beat, scheduled time.Time) (observation.Beat, error) {
	b := observation.Beat{
		Part: observation.BeatHeartbeat, Tick: scheduled, At: c.Now(), Since: before.Since, Config: c.Config.Hash,
	}
	if before.Config != b.Config || scheduled.Sub(before.Tick) > paused || before.Since.IsZero() {
		b.Since = scheduled
	}
	return b, c.Store.PutBeat(ctx, b)
}
