package source

import "context"

// Steps of the jq machine that one program may take: on a whole page, and on
// one item. An honest program takes tens to a few thousand per item.
const (
	pageSteps = 20_000_000
	itemSteps = 500_000
)

// fuel ends a jq program after a number of steps. gojq asks its context before
// every step whether it is done, so counting the questions bounds the work the
// same way on every machine, which a time limit would not.
type fuel struct {
	context.Context
	left  int
	watch watch
	// swollen is set once the process holds more memory than it may.
	swollen bool
}

func newFuel(ctx context.Context, steps int) *fuel {
	return &fuel{Context: ctx, left: steps, watch: newWatch(ctx)}
}

var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Done counts one step.
func (f *fuel) Done() <-chan struct{} {
	f.left--
	if f.left%4 == 0 && f.watch.full() {
		f.swollen = true
	}
	if f.left < 0 || f.swollen || (f.left%1024 == 0 && f.Context.Err() != nil) {
		return closed
	}
	return nil
}

// Err tells why the program was ended.
func (f *fuel) Err() error {
	if f.empty() || f.swollen {
		return context.DeadlineExceeded
	}
	return f.Context.Err()
}

func (f *fuel) empty() bool { return f.left < 0 }
