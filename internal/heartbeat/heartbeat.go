// Package heartbeat is the use case that watches the watcher: once a minute it
// looks at what every other part has left behind, and says whether all is well.
// It reads tables and counts; it sends nothing, and shares nothing with the
// parts that deliver.
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

// Store is what the parts leave behind.
type Store interface {
	Runs(ctx context.Context, source string, limit int) ([]observation.Run, error)
	Beats(ctx context.Context) (map[string]observation.Beat, error)
	PutBeat(ctx context.Context, b observation.Beat) error
	Due(ctx context.Context, now time.Time, limit int) ([]delivery.Due, error)
	Usage(ctx context.Context, from, to time.Time) ([]delivery.Usage, error)
}

// Queue is where records go that a function gave up.
type Queue interface {
	Depth(ctx context.Context) (int, error)
}

// The limits leave room for one tick that is lost or late: schedules fire some
// seconds after their time, and this function looks while the others work.
const (
	// grace is how late a tick may be.
	grace = 30 * time.Second
	// behind is how far one part may be behind the one before it.
	behind = 90 * time.Second
	// unswept is how long ago the last sweep may have been, and how long an
	// item may be due.
	unswept = 2*time.Minute + grace
	// settling is how long a stack that starts, or starts again, or has a new
	// configuration, may take to do everything once: poll takes up every source
	// with the next minute, whatever its interval. It is not longer than what
	// is allowed to a part that stops.
	settling = unswept
	// paused is how long this function may have been away to go on as before.
	// The alarm has rung by then: it takes a missing heartbeat for a bad one.
	paused = 4 * time.Minute
)

// listed is how many undelivered items are counted; there may be more.
const listed = 1000

// Checker looks at one stack.
type Checker struct {
	Config *config.Config
	Store  Store
	Queue  Queue
	// Now is the wall clock, which items are due by. All else is judged by the
	// scheduled time.
	Now func() time.Time
}

// Report is what a check saw. Ages and lags are at the scheduled time.
type Report struct {
	// Problems say what is not well, one sentence each; none is well.
	Problems []string
	// Settling tells that the stack has just started, by this configuration: what
	// it may not have come to yet is no problem.
	Settling bool
	// PollAge is the age of each source's last successful poll, or of the oldest
	// poll that is known when none was.
	PollAge map[string]time.Duration
	// DecideLag is how long the oldest poll that wrote observations has waited
	// for decide, DeliverLag how long the newest messages have for deliver.
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

// OK reports whether all is well.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

func (r *Report) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// late notes a part that has not done in time what it is to do.
func (r *Report) late(format string, args ...any) {
	if !r.Settling {
		r.problem(format, args...)
	}
}

// Check looks at everything. What cannot be looked at is a problem too, for it
// may hide any other.
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

// watch notes that this check is made, and since when the checks have been made
// without a pause and by the same configuration. It is in the tables, so that a
// process that starts anew, which it may do every time, excuses nothing.
func (c *Checker) watch(ctx context.Context, before observation.Beat, scheduled time.Time) (observation.Beat, error) {
	b := observation.Beat{
		Part: observation.BeatHeartbeat, Tick: scheduled, At: c.Now(), Since: before.Since, Config: c.Config.Hash,
	}
	if before.Config != b.Config || scheduled.Sub(before.Tick) > paused || before.Since.IsZero() {
		b.Since = scheduled
	}
	return b, c.Store.PutBeat(ctx, b)
}
