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

// sweepPage is how many due items one look of a sweep takes in: more than one
// slow destination can have without hiding the others behind its own.
const sweepPage = 10_000

// patient is how long a sweep waits for turns; its invocation's time ends it
// earlier.
const patient = 10 * time.Minute

// Sweep takes up every item that is due: put back after a failed send, never
// seen by the stream, or left in a lost worker's hands. It stops when nothing
// new is due or the invocation's time is nearly over. Items that could not be
// handled end nothing; their errors come at the end.
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
		failed = errors.Join(failed, join(x.deliver(ctx, due, patient)))
	}
	return taken, failed
}

// unseen drops what this sweep has tried already: an index that lags behind the
// table must not make it go round.
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

// named is how many errors a sweep repeats; when nothing works, all alike.
const named = 20

func join(failed map[int]error) error {
	var errs []error
	for _, i := range slices.Sorted(maps.Keys(failed)) {
		if len(errs) == named {
			errs = append(errs, fmt.Errorf("and %d more", len(failed)-named))
			break
		}
		errs = append(errs, failed[i])
	}
	return errors.Join(errs...)
}
