package decide

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// newestRuns are enough to see whether a source answers at all.
const newestRuns = 4

// listeners remembers since when sources have been answering, so that a sweep
// over many incidents reads the runs of each source once.
type listeners struct {
	config   *config.Config
	evidence Evidence

	mu   sync.Mutex
	each map[listener]func() (incident.Answering, error)
}

// listener is a source, and how far back it matters.
type listener struct {
	source string
	window time.Duration
}

func newListeners(cfg *config.Config, e Evidence) *listeners {
	return &listeners{config: cfg, evidence: e, each: make(map[listener]func() (incident.Answering, error))}
}

// answering tells it of every configured source that has spoken for an
// incident. Sources that are no longer configured are not listed.
func (ls *listeners) answering(ctx context.Context, s incident.State, window time.Duration) (map[string]incident.Answering, error) {
	all := make(map[string]incident.Answering, len(s.Sources))
	for id := range s.Sources {
		src, ok := ls.config.SourceOf(id)
		if !ok {
			continue
		}
		a, err := ls.of(ctx, src, window)()
		if err != nil {
			return nil, fmt.Errorf("read the poll runs of source %s: %w", src.ID, err)
		}
		all[id] = a
	}
	return all, nil
}

func (ls *listeners) of(ctx context.Context, src config.Source, window time.Duration) func() (incident.Answering, error) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	id := listener{src.ID, window}
	if ls.each[id] == nil {
		ls.each[id] = sync.OnceValues(func() (incident.Answering, error) { return ls.read(ctx, src, window) })
	}
	return ls.each[id]
}

// read looks at the newest runs first: a source that is out, which may be for
// long, is asked about every minute.
func (ls *listeners) read(ctx context.Context, src config.Source, window time.Duration) (incident.Answering, error) {
	// One more run at each end than fit into the window, and one that may be
	// running.
	all := int(window/max(src.Interval, time.Minute)) + 3
	var runs []observation.Run
	var err error
	for _, limit := range []int{min(newestRuns, all), all} {
		if runs, err = ls.evidence.Runs(ctx, src.ID, limit); err != nil {
			return incident.Answering{}, err
		}
		a := incident.AnsweringFrom(runs, src.Interval)
		if len(runs) < limit || a.Since.IsZero() || a.Since.After(runs[len(runs)-1].Tick) {
			return a, nil
		}
	}
	return incident.AnsweringFrom(runs, src.Interval), nil
}
