package source

import (
	"context"
	"runtime"
	"runtime/metrics"
	"time"
)

// defaultMaxHeap is for a process that says nothing of its memory.
const defaultMaxHeap uint64 = 1 << 30

// heapKey carries, in a context, how much the process may hold.
type heapKey struct{}

// watch looks at the process's memory while a program runs: a text that is
// doubled 40 times is a terabyte, and takes no more than a few hundred steps. To
// look is expensive, so it does so only after steps that took long, as those do
// that fill much memory.
type watch struct {
	max  uint64
	last time.Time
}

// slowSteps is how long a few steps take that touch some ten megabytes.
const slowSteps = time.Millisecond

func newWatch(ctx context.Context) watch {
	max, ok := ctx.Value(heapKey{}).(uint64)
	if !ok {
		max = defaultMaxHeap
	}
	return watch{max, time.Now()}
}

// full tells that the process holds more than it may, garbage apart.
func (w *watch) full() bool {
	now := time.Now()
	slow := now.Sub(w.last) > slowSteps
	w.last = now
	if !slow || heap() <= w.max {
		return false
	}
	runtime.GC()
	w.last = time.Now()
	return heap() > w.max
}

func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
