package mapping

import (
	"context"
	"errors"
	"sync"
)

// drains keeps those who wait for the stream to be handled up to now. Each
// wait is numbered; a pass over the stream that began after a number was given
// out, and found nothing, ends that wait.
type drains struct {
	// wake holds a token when somebody began to wait.
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

// wanted returns the number of the newest wait.
func (d *drains) wanted() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked
}

// reached ends every wait up to the given number.
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

// end tells everybody that the stream is read no more.
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
