// Package schedule is a local EventBridge Scheduler: it invokes a function every
// minute, or at its rate, with the scheduled time in its input.
package schedule

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Schedule is one schedule of the template.
type Schedule struct {
	// Rate is the time from one tick to the next.
	Rate time.Duration
	// Input is the function's event. "<aws.scheduler.scheduled-time>" in it
	// becomes the tick.
	Input string
}

var rateForm = regexp.MustCompile(`^rate\(([1-9][0-9]*) (minute|hour|day)s?\)$`)

// everyMinute is the only cron expression that is supported: each full minute.
const everyMinute = "cron(* * * * ? *)"

// ParseRate parses a rate expression such as rate(5 minutes), or the cron expression
// of every minute. Here both run at full minutes; in AWS only the latter does, since
// a rate begins when its schedule is created.
func ParseRate(expression string) (time.Duration, error) {
	if expression == everyMinute {
		return time.Minute, nil
	}
	parts := rateForm.FindStringSubmatch(expression)
	if parts == nil {
		return 0, fmt.Errorf("schedule expression %q: the local scheduler understands only rate(N minutes|hours|days) and %s", expression, everyMinute)
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil {
		return 0, fmt.Errorf("schedule expression %q: %w", expression, err)
	}
	unit := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}[parts[2]]
	return time.Duration(n) * unit, nil
}

// Event returns the function's event for one tick. Its time has the form of
// EventBridge Scheduler's context attribute aws.scheduler.scheduled-time.
func (s Schedule) Event(tick time.Time) []byte {
	return []byte(strings.ReplaceAll(s.Input, "<aws.scheduler.scheduled-time>", tick.UTC().Format("2006-01-02T15:04:05Z")))
}

// Run calls fire at every tick after now, which are the multiples of Rate since the
// Unix epoch, until the context ends, and returns when every call has. A slow call
// does not delay the next tick; only the callee's concurrency limit does. A tick that
// passed while the machine slept is skipped, since the next one observes the state
// again.
func (s Schedule) Run(ctx context.Context, fire func(ctx context.Context, tick time.Time)) {
	var running sync.WaitGroup
	defer running.Wait()
	for {
		tick := next(time.Now(), s.Rate)
		timer := time.NewTimer(time.Until(tick))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
			running.Go(func() { fire(ctx, tick) })
		}
	}
}

// next returns the first tick after a time.
func next(now time.Time, rate time.Duration) time.Time {
	return time.Unix(0, 0).UTC().Add(now.Sub(time.Unix(0, 0)).Truncate(rate) + rate)
}
