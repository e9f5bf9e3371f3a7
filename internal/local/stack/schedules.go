package stack

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// RunSchedules invokes the scheduled functions by this machine's clock until the
// context ends, and returns when the invocations in progress are done. Failures are
// reported to Options.Problem; the next tick observes the state again.
func (s *Stack) RunSchedules(ctx context.Context) {
	var running sync.WaitGroup
	for _, d := range s.functions {
		for _, sched := range d.schedules {
			running.Go(func() {
				sched.Run(ctx, func(ctx context.Context, tick time.Time) {
					if _, err := s.Invoke(context.WithoutCancel(ctx), d.name, sched.Event(tick)); err != nil {
						s.options.Problem(fmt.Errorf("schedule of %s at %s: %w", d.name, tick.Format(time.RFC3339), err))
					}
				})
			})
		}
	}
	running.Wait()
}
