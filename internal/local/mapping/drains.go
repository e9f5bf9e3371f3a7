package mapping

import (
	"context"
	"errors"
	"sync"
)

// drains holds the calls of Drain in progress. Each is numbered; a pass over the
// stream that began after a number was assigned, and found nothing, ends that call.
type drains struct {
	// wake holds a token when a call has begun.
	wake chan struct{}

	mu      *sync.Mutex
	asked   uint64
	waiting map[uint64]chan struct{}
	ended   chan struct{}
}

func newDrains() drains {
	return drains{
		wake: make(chan struct{}, 1), mu: new(sync.Mutex),
		waiting: map[uint64]chan struct{}{}, ended: make(chan struct{}),
	}
}

// wanted returns the number of the newest call.
func (d *drains) wanted() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked
}

// reached ends every call up to the given number.
func (d *drains) reached(number uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for n, done := range d.waiting {
		if n <= number {
			close(done)
			delete(d.waiting, n)
		}
	}
}

// end tells all calls that the stream is no longer read.
func (d *drains) end() { close(d.ended) }

func (d *drains) wait(ctx context.Context) error {
	done := make(chan struct{})
	d.mu.Lock()
	d.asked++
	d.waiting[d.asked] = done
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
	select {
	case <-done:
		return nil
	case <-d.ended:
		return errors.New("the event source mapping has stopped, so its stream is not drained")
	case <-ctx.Done():
		return ctx.Err()
	}
}
