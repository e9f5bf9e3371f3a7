// Package recorded converts what a deployment has stored, and the policies and prices
// of its configuration, to the types of package replay, which tries policies on them.
package recorded

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

// Store is what the rows are read from.
type Store interface {
	Incidents(ctx context.Context, yield func(incident.State) error) error
	Observations(ctx context.Context, key string, from, to time.Time, yield func(observation.Observation) error) error
	Decisions(ctx context.Context, key string) ([]incident.Decision, error)
}

// errStop ends a read whose consumer has stopped.
var errStop = errors.New("enough")

// Rows returns all stored observations, key by key, each key's in the order in which
// decide folded them; see [incident.Arrivals]. Between them are the decisions that no
// observation led to: acknowledgements and the ends of silences. It holds in memory the
// keys, the decisions of one key, and what Arrivals holds.
func Rows(ctx context.Context, from Store) trace.Rows {
	return func(yield func(trace.Row, error) bool) {
		var keys []string
		err := from.Incidents(ctx, func(s incident.State) error {
			keys = append(keys, s.Key)
			return nil
		})
		slices.Sort(keys)
		for _, key := range keys {
			if err == nil {
				err = keyRows(ctx, from, key, yield)
			}
		}
		if err != nil && !errors.Is(err, errStop) {
			yield(trace.Row{}, err)
		}
	}
}

// keyRows yields the rows of one key.
func keyRows(ctx context.Context, from Store, key string, yield func(trace.Row, error) bool) error {
	log, err := from.Decisions(ctx, key)
	if err != nil {
		return err
	}
	w := rowWriter{yield: yield, unobserved: slices.DeleteFunc(log, func(d incident.Decision) bool { return d.Action.Observed() })}
	if err := from.Observations(ctx, key, time.Time{}, time.Time{}, w.observe); err != nil {
		return err
	}
	for batch := range w.arrivals.Rest() {
		if err := w.writeBatch(batch); err != nil {
			return err
		}
	}
	return w.writeUnobserved(time.Time{})
}

// rowWriter writes the rows of one key in order.
type rowWriter struct {
	yield    func(trace.Row, error) bool
	arrivals incident.Arrivals
	// unobserved are the decisions that no observation led to.
	unobserved []incident.Decision
}

func (w *rowWriter) observe(o observation.Observation) error { return w.writeBatch(w.arrivals.Take(o)) }

func (w *rowWriter) writeBatch(batch []observation.Observation) error {
	if len(batch) == 0 {
		return nil
	}
	if err := w.writeUnobserved(incident.NewestTick(batch)); err != nil {
		return err
	}
	for _, o := range batch {
		if !w.yield(trace.Row{Observation: o}, nil) {
			return errStop
		}
	}
	return nil
}

// writeUnobserved writes the unobserved decisions of ticks before the given one, or all
// that are left if it is zero. One of the same tick follows its observations.
func (w *rowWriter) writeUnobserved(tick time.Time) error {
	for len(w.unobserved) > 0 && (tick.IsZero() || w.unobserved[0].Tick.Before(tick)) {
		d := w.unobserved[0]
		w.unobserved = w.unobserved[1:]
		row := trace.Row{
			Said: d.Action, By: incident.ParseReason(d.Reason).By,
			Observation: observation.Observation{IncidentKey: d.IncidentKey, Source: d.Source, Tick: d.Tick, Verdict: observation.Unknown},
		}
		if !w.yield(row, nil) {
			return errStop
		}
	}
	return nil
}
