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

// newestRuns is how many runs show whether a source answers at all.
const newestRuns = 4

// answers caches since when sources have been answering, so that a sweep over many
// incidents reads the runs of each source once.
type answers struct {
	config   *config.Config
	evidence Evidence

	mu   sync.Mutex
	each map[answersKey]func() (incident.Answering, error)
}

// answersKey is a source and how far back its answers matter.
type answersKey struct {
	source string
	window time.Duration
}

func newAnswers(cfg *config.Config, e Evidence) *answers {
	return &answers{config: cfg, evidence: e, each: make(map[answersKey]func() (incident.Answering, error))}
}

// of returns since when each configured source that has reported an incident has been
// answering. Sources that are no longer configured are omitted.
func (as *answers) of(ctx context.Context, s incident.State, window time.Duration) (map[string]incident.Answering, error) {
	all := make(map[string]incident.Answering, len(s.Sources))
	for id := range s.Sources {
		src, ok := as.config.SourceOf(id)
		if !ok {
			continue
		}
		a, err := as.once(ctx, src, window)()
		if err != nil {
			return nil, fmt.Errorf("read the poll runs of source %s: %w", src.ID, err)
		}
		all[id] = a
	}
	return all, nil
}

// once returns a function that reads a source's answers on its first call.
func (as *answers) once(ctx context.Context, src config.Source, window time.Duration) func() (incident.Answering, error) {
	as.mu.Lock()
	defer as.mu.Unlock()
	id := answersKey{src.ID, window}
	if as.each[id] == nil {
		as.each[id] = sync.OnceValues(func() (incident.Answering, error) { return as.read(ctx, src, window) })
	}
	return as.each[id]
}

// read tries the newest runs first: a source may be down for long and is looked up
// every minute meanwhile.
func (as *answers) read(ctx context.Context, src config.Source, window time.Duration) (incident.Answering, error) {
	// The window's runs, one more at each end, and one that may be running.
	all := int(window/max(src.Interval, time.Minute)) + 3
	var runs []observation.Run
	var err error
	for _, limit := range []int{min(newestRuns, all), all} {
		if runs, err = as.evidence.Runs(ctx, src.ID, limit); err != nil {
			return incident.Answering{}, err
		}
		a := incident.AnsweringFrom(runs, src.Interval)
		if len(runs) < limit || a.Since.IsZero() || a.Since.After(runs[len(runs)-1].Tick) {
			return a, nil
		}
	}
	return incident.AnsweringFrom(runs, src.Interval), nil
}
