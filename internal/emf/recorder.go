package emf

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Of are the values of a metric's dimensions, by dimension.
type Of map[string]string

// Recorder collects metrics until Flush writes them: one line for all metrics with
// the same dimensions, however many items an invocation handled. It is safe for
// concurrent use.
type Recorder struct {
	out   io.Writer
	stack string
	now   func() time.Time

	mu     sync.Mutex
	series map[string]*series
}

// series are the metrics that share their dimensions.
type series struct {
	of     Of
	values map[Name][]float64
}

// New returns a Recorder that writes to out. The stack's name distinguishes the
// stacks of one account.
func New(out io.Writer, stack string, now func() time.Time) *Recorder {
	return &Recorder{out: out, stack: stack, now: now, series: make(map[string]*series)}
}

// Add records one value. Dimensions that the metric does not have are dropped; it
// panics on a name that is not in Metrics, which is a bug.
func (r *Recorder) Add(name Name, value float64, of Of) {
	m, ok := Metrics[name]
	if !ok {
		panic(fmt.Sprintf("metric %q is not in emf.Metrics", name))
	}
	mine := Of{}
	for _, d := range m.By {
		if v := of[d]; v != "" {
			mine[d] = v
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.seriesOf(mine)
	if have := s.values[name]; m.Sum && len(have) > 0 {
		have[0] += value
		return
	}
	s.values[name] = append(s.values[name], value)
}

func (r *Recorder) seriesOf(of Of) *series {
	var id strings.Builder
	for _, d := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(&id, "%s=%q ", d, of[d])
	}
	s, ok := r.series[id.String()]
	if !ok {
		s = &series{of: of, values: make(map[Name][]float64)}
		r.series[id.String()] = s
	}
	return s
}

// Flush writes what has been recorded since the last Flush.
func (r *Recorder) Flush() error {
	r.mu.Lock()
	taken := r.series
	r.series = make(map[string]*series)
	r.mu.Unlock()
	at := r.now()
	var errs []error
	for _, id := range slices.Sorted(maps.Keys(taken)) {
		for _, l := range taken[id].lines(r.stack, at) {
			// One write per line, since the log shares this writer.
			if _, err := r.out.Write(l); err != nil {
				errs = append(errs, err)
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("write the metrics: %w", err)
	}
	return nil
}
