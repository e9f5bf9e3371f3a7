package poll

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// successors finds the configured sources that take over the keys of removed ones. One
// invocation reads the runs of each source once, however many keys there are, and none
// if no source was removed.
type successors struct {
	config *config.Config
	store  Store
	// last caches the newest run of each removed source.
	last map[string]observation.Run
	// recent caches the results of isNew.
	recent map[string]bool
}

func newSuccessors(cfg *config.Config, s Store) *successors {
	return &successors{config: cfg, store: s, last: map[string]observation.Run{}, recent: map[string]bool{}}
}

// isNew reports whether a source was not polled yet at the last run of the removed
// sources. It returns false if those runs have expired, since nothing is known then.
func (ss *successors) isNew(ctx context.Context, successor config.Source, removed []string) (bool, error) {
	of := successor.ID + " " + strings.Join(removed, " ")
	if isNew, known := ss.recent[of]; known {
		return isNew, nil
	}
	var last observation.Run
	for _, id := range removed {
		run, err := ss.lastRun(ctx, id)
		if err != nil {
			return false, err
		}
		if run.Started.After(last.Started) {
			last = run
		}
	}
	alongside := false
	if !last.Tick.IsZero() {
		var err error
		if alongside, err = ss.polledAlongside(ctx, successor, last); err != nil {
			return false, err
		}
	}
	ss.recent[of] = !last.Tick.IsZero() && !alongside
	return ss.recent[of], nil
}

func (ss *successors) lastRun(ctx context.Context, removed string) (observation.Run, error) {
	if run, known := ss.last[removed]; known {
		return run, nil
	}
	runs, err := ss.store.Runs(ctx, removed, 1)
	if err != nil {
		return observation.Run{}, fmt.Errorf("read the last run of the removed source %s: %w", removed, err)
	}
	ss.last[removed] = observation.Run{}
	if len(runs) > 0 {
		ss.last[removed] = runs[0]
	}
	return ss.last[removed], nil
}

// missedIntervals is how many intervals back a source's run still counts as polled at
// the time. One of its runs may have been lost, or repeated since.
const missedIntervals = 2

// polledAlongside reports whether a source was polled at the time of another source's
// run. It compares start times as well as ticks: the tick of a source with an hourly
// interval may lie before the source was configured.
func (ss *successors) polledAlongside(ctx context.Context, src config.Source, last observation.Run) (bool, error) {
	until := slices.MaxFunc([]time.Time{last.Started, last.Ended}, time.Time.Compare)
	found := false
	err := ss.store.RunsBetween(ctx, src.ID, last.Tick.Add(-missedIntervals*src.Interval), last.Tick, func(r observation.Run) error {
		found = found || !r.Started.After(until)
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("read the runs of source %s at %s: %w", src.ID, observation.FormatTick(last.Tick), err)
	}
	return found, nil
}
