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

// heirs finds who speaks for the keys of removed sources. One invocation asks of
// each source once, however many keys there are, and of none while all are there.
type heirs struct {
	config *config.Config
	store  Store
	// last is the newest run of each removed source, recent whether a source is new
	// since some of them.
	last   map[string]observation.Run
	recent map[string]bool
}

func newHeirs(cfg *config.Config, s Store) *heirs {
	return &heirs{config: cfg, store: s, last: map[string]observation.Run{}, recent: map[string]bool{}}
}

// isNew reports whether a source was not polled yet when the removed ones last
// were. It is not, where their runs have expired: nobody knows.
func (h *heirs) isNew(ctx context.Context, heir config.Source, removed []string) (bool, error) {
	of := heir.ID + " " + strings.Join(removed, " ")
	if isNew, known := h.recent[of]; known {
		return isNew, nil
	}
	var last observation.Run
	for _, id := range removed {
		run, err := h.lastOf(ctx, id)
		if err != nil {
			return false, err
		}
		if run.Started.After(last.Started) {
			last = run
		}
	}
	beside := false
	if !last.Tick.IsZero() {
		var err error
		if beside, err = h.beside(ctx, heir, last); err != nil {
			return false, err
		}
	}
	h.recent[of] = !last.Tick.IsZero() && !beside
	return h.recent[of], nil
}

func (h *heirs) lastOf(ctx context.Context, removed string) (observation.Run, error) {
	if run, known := h.last[removed]; known {
		return run, nil
	}
	runs, err := h.store.Runs(ctx, removed, 1)
	if err != nil {
		return observation.Run{}, fmt.Errorf("read the last run of the removed source %s: %w", removed, err)
	}
	h.last[removed] = observation.Run{}
	if len(runs) > 0 {
		h.last[removed] = runs[0]
	}
	return h.last[removed], nil
}

// besideFor is how many of its intervals a source may miss and still count as
// polled at the time: one of its runs may have been lost, or run again since.
const besideFor = 2

// beside reports whether a source was polled at the time of a run of another's.
// Ticks alone do not tell: that of a source that is polled every hour began before
// it was configured.
func (h *heirs) beside(ctx context.Context, src config.Source, last observation.Run) (bool, error) {
	until := slices.MaxFunc([]time.Time{last.Started, last.Ended}, time.Time.Compare)
	found := false
	err := h.store.RunsBetween(ctx, src.ID, last.Tick.Add(-besideFor*src.Interval), last.Tick, func(r observation.Run) error {
		found = found || !r.Started.After(until)
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("read the runs of source %s at %s: %w", src.ID, observation.FormatTick(last.Tick), err)
	}
	return found, nil
}
