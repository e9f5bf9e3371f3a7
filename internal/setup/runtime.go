package setup

import (
	"context"
	"crypto/rand"
	"time"
)

// Token returns a random name for a worker's claims. It identifies nothing that is
// stored for longer than a lease.
func Token() string { return rand.Text() }

// Now returns the wall-clock time, in UTC.
func Now() time.Time { return time.Now().UTC() }

// Sleep waits, or returns early with the context's error.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
