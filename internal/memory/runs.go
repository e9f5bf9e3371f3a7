package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// ClaimRun claims a source's tick for run.Worker: it writes the run as running if
// there is none, if the lease of a running one has expired, or if the run is
// repeatable. Otherwise it returns observation.ErrRunClaimed. The worker that holds
// the tick may claim it again.
func (s *Store) ClaimRun(ctx context.Context, run observation.Run, now time.Time) error {
	return s.run(ctx, "ClaimRun", run.Source, func() error {
		held, found := s.runs[run.Source][observation.FormatTick(run.Tick)]
		run.State, run.Try = observation.RunRunning, 1
		switch {
		case found && held.Repeatable(now):
			run.Try = held.Try + 1
		case found && !claimable(held, run.Worker, now):
			return observation.ErrRunClaimed
		}
		return s.putRun(run)
	})
}

func claimable(held observation.Run, worker string, now time.Time) bool {
	return held.State == observation.RunRunning && (held.Worker == worker || !now.Before(held.LeaseUntil))
}

func (s *Store) putRun(run observation.Run) error {
	if err := writable(row{"operations", "run#" + run.Source, observation.FormatTick(run.Tick), run}); err != nil {
		return fmt.Errorf("write the poll of %s: %w", run.Source, err)
	}
	if s.runs[run.Source] == nil {
		s.runs[run.Source] = make(map[string]observation.Run)
	}
	s.runs[run.Source][observation.FormatTick(run.Tick)] = clone(run)
	return nil
}

// FinishRun writes the result of a run. It returns observation.ErrRunClaimed when
// another worker has claimed the tick since.
func (s *Store) FinishRun(ctx context.Context, run observation.Run) error {
	return s.run(ctx, "FinishRun", run.Source, func() error {
		held, found := s.runs[run.Source][observation.FormatTick(run.Tick)]
		if !found || held.Worker != run.Worker {
			return observation.ErrRunClaimed
		}
		return s.putRun(run)
	})
}

// ReleaseRun gives up a claimed tick, so that a retry may claim it at once. It does
// nothing when the run is finished or belongs to another worker by now.
func (s *Store) ReleaseRun(ctx context.Context, run observation.Run) error {
	return s.run(ctx, "ReleaseRun", run.Source, func() error {
		at := observation.FormatTick(run.Tick)
		held := s.runs[run.Source][at]
		if held.Worker == run.Worker && held.State == observation.RunRunning {
			delete(s.runs[run.Source], at)
		}
		return nil
	})
}

// Runs returns a source's poll runs, newest first, at most limit of them.
func (s *Store) Runs(ctx context.Context, source string, limit int) ([]observation.Run, error) {
	return do(ctx, s, "Runs", source, func() ([]observation.Run, error) {
		var newest []observation.Run
		ticks := slices.Sorted(maps.Keys(s.runs[source]))
		slices.Reverse(ticks)
		for _, at := range ticks[:min(max(limit, 0), len(ticks))] {
			newest = append(newest, s.runs[source][at])
		}
		return newest, nil
	})
}

// RunsBetween yields a source's poll runs with from ≤ tick ≤ to, oldest first,
// until an error.
func (s *Store) RunsBetween(ctx context.Context, source string, from, to time.Time, yield func(observation.Run) error) error {
	found, err := do(ctx, s, "RunsBetween", source, func() ([]observation.Run, error) {
		var within []observation.Run
		for _, at := range slices.Sorted(maps.Keys(s.runs[source])) {
			if run := s.runs[source][at]; !run.Tick.Before(from) && !run.Tick.After(to) {
				within = append(within, run)
			}
		}
		return within, nil
	})
	return each(found, err, yield)
}
