package dynamo

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/ringonce/ringonce/internal/backoff"
)

// retries is how often a write that conflicts with a concurrent transaction is
// retried, and a batch read that returns no row.
const retries = 5

var between = backoff.Schedule{Base: 20 * time.Millisecond, Cap: 500 * time.Millisecond, Floor: 2 * time.Millisecond}

// pause waits with full jitter, so that workers that conflicted do not conflict
// again.
func pause(ctx context.Context, retry int) error {
	timer := time.NewTimer(between.Wait(retry, rand.Float64()))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
