package source

import (
	"context"
	"runtime"
	"runtime/metrics"
	"time"
)

// defaultMaxHeap applies to a process that sets no limit of its own.
const defaultMaxHeap uint64 = 1 << 30

// heapKey is the context key of the process's memory limit.
type heapKey struct{}

// watch checks the process's memory while a program runs: a text that is doubled 40
// times is a terabyte, and takes no more than a few hundred steps. Since reading the
// memory statistics is expensive, it does so only after slow steps, as those that
// fill much memory are.
type watch struct {
	max  uint64
	last time.Time
}

// slowSteps is how long it takes a few steps to touch some ten megabytes.
const slowSteps = time.Millisecond

func newWatch(ctx context.Context) watch {
	max, ok := ctx.Value(heapKey{}).(uint64)
	if !ok {
		max = defaultMaxHeap
	}
	return watch{max, time.Now()}
}

// full reports whether the process uses more than it may, not counting garbage.
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
