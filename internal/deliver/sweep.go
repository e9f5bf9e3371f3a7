package deliver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// sweepPage is how many due items a sweep lists at once: enough that one slow
// destination's backlog does not hide the items of others.
const sweepPage = 10_000

// sweepPatience is how long a sweep waits for turns. It exceeds the time of any
// invocation.
const sweepPatience = 10 * time.Minute

// Sweep delivers every item that is due: put back after a failed send, missed by the
// stream, or claimed by a lost worker. It stops when nothing new is due or the
// invocation's time is nearly over. An error with one item does not stop it; all errors
// are returned at the end.
func (x *Deliverer) Sweep(ctx context.Context) (taken int, failed error) {
	seen := make(map[delivery.Ref]bool)
	for !x.outOfTime(ctx) {
		due, err := x.Ledger.Due(ctx, x.Now(), sweepPage)
		if err != nil {
			return taken, errors.Join(failed, fmt.Errorf("list the due deliveries: %w", err))
		}
		due = unseen(due, seen)
		if len(due) == 0 {
			return taken, failed
		}
		taken += len(due)
		failed = errors.Join(failed, join(x.deliver(ctx, due, sweepPatience)))
	}
	return taken, failed
}

// unseen drops the items that this sweep has tried already. Otherwise an index that
// lags behind the table would make it loop.
func unseen(due []delivery.Due, seen map[delivery.Ref]bool) []delivery.Due {
	fresh := due[:0]
	for _, it := range due {
		if !seen[it.Ref] {
			seen[it.Ref] = true
			fresh = append(fresh, it)
		}
	}
	return fresh
}

// maxErrors is how many errors a sweep returns in full. In an outage all are alike.
const maxErrors = 20

func join(failed map[int]error) error {
	var errs []error
	for _, i := range slices.Sorted(maps.Keys(failed)) {
		if len(errs) == maxErrors {
			errs = append(errs, fmt.Errorf("and %d more", len(failed)-maxErrors))
			break
		}
		errs = append(errs, failed[i])
	}
	return errors.Join(errs...)
}
