package source

import "context"

// The most steps of the jq machine that one program may take, on a whole page and on
// one item. An honest program takes tens to a few thousand steps per item.
const (
	pageSteps = 20_000_000
	itemSteps = 500_000
)

// fuel is a context that ends a jq program after a number of steps. gojq asks its
// context before every step whether it is done, so counting the calls bounds the work
// alike on every machine, which a time limit would not.
type fuel struct {
	context.Context
	left  int
	watch watch
	// overMemory is set once the process uses more memory than it may.
	overMemory bool
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
		f.overMemory = true
	}
	if f.left < 0 || f.overMemory || (f.left%1024 == 0 && f.Context.Err() != nil) {
		return closed
	}
	return nil
}

// Err returns why the program was stopped.
func (f *fuel) Err() error {
	if f.empty() || f.overMemory {
		return context.DeadlineExceeded
	}
	return f.Context.Err()
}

func (f *fuel) empty() bool { return f.left < 0 }
