package heartbeat

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// checkPolls checks the last runs of every source, and whether decide has folded the
// observations that they wrote.
func (c *Checker) checkPolls(ctx context.Context, r *Report, scheduled time.Time, decided observation.Beat) error {
	for _, src := range c.Config.Sources {
		runs, err := c.Store.Runs(ctx, src.ID, allowed(src)+3)
		if err != nil {
			return err
		}
		checkSource(r, scheduled, src, runs)
		for _, run := range runs {
			if run.Written > 0 && run.Tick.After(decided.Tick) {
				r.DecideLag = max(r.DecideLag, scheduled.Sub(run.Tick))
			}
		}
	}
	if r.DecideLag > behind {
		r.late("decide has not folded observations that were written %s ago: see its log, its stream mapping and its errors", r.DecideLag)
	}
	return nil
}

// allowed returns how many polls of a source in a row may fail before it is a problem:
// as many as before its owner is notified.
func allowed(src config.Source) int { return max(src.UnreachableAfter, 1) }

func checkSource(r *Report, scheduled time.Time, src config.Source, runs []observation.Run) {
	var ended, succeeded time.Time
	for _, run := range runs { // newest first
		if run.State == observation.RunRunning {
			continue
		}
		if ended.IsZero() {
			ended = run.Tick
		}
		if run.State == observation.RunOK && succeeded.IsZero() {
			succeeded = run.Tick
		}
	}
	if ended.IsZero() {
		r.late("source %s has not been polled at all: see poll's log and its schedule", src.ID)
		return
	}
	// Only the newest runs are read, so an older success is not known.
	last := "was last read whole %s ago"
	if succeeded.IsZero() {
		succeeded, last = runs[len(runs)-1].Tick, "has not been read whole for %s or longer"
	}
	r.PollAge[src.ID] = scheduled.Sub(succeeded)
	switch {
	case scheduled.Sub(ended) > 2*src.Interval+grace:
		r.late("source %s was last polled %s ago, though it is to be polled every %s: see poll's log and its schedule",
			src.ID, scheduled.Sub(ended), src.Interval)
	case r.PollAge[src.ID] > time.Duration(allowed(src)+1)*src.Interval+grace:
		r.late("source %s "+last+": see the problems in poll's log", src.ID, r.PollAge[src.ID])
	}
}
