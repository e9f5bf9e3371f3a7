// Package recorded brings what a deployment has recorded, and the rules that it
// decides by, into the form that package replay tries policies on.
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

// Store is what a store tells of the past.
type Store interface {
	Incidents(ctx context.Context, yield func(incident.State) error) error
	Observations(ctx context.Context, key string, from, to time.Time, yield func(observation.Observation) error) error
	Decisions(ctx context.Context, key string) ([]incident.Decision, error)
}

// errEnough ends a reading whose reader has had enough.
var errEnough = errors.New("enough")

// Rows are all stored observations, key by key, each key's in the order
// in which they are decided on, and between them what people said and the ends of
// silences. Memory holds the keys, and one tick's rows.
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
		if err != nil && !errors.Is(err, errEnough) {
			yield(trace.Row{}, err)
		}
	}
}

func keyRows(ctx context.Context, from Store, key string, yield func(trace.Row, error) bool) error {
	log, err := from.Decisions(ctx, key)
	if err != nil {
		return err
	}
	w := writer{yield: yield, said: slices.DeleteFunc(log, func(d incident.Decision) bool { return d.Action.Observed() })}
	if err := from.Observations(ctx, key, time.Time{}, time.Time{}, w.observe); err != nil {
		return err
	}
	for tick := range w.came.Rest() {
		if err := w.flush(tick); err != nil {
			return err
		}
	}
	return w.saidBefore(time.Time{})
}

// writer puts the rows of one key into order.
type writer struct {
	yield func(trace.Row, error) bool
	came  incident.Arrivals
	// said are the decisions that no observation led to.
	said []incident.Decision
}

func (w *writer) observe(o observation.Observation) error { return w.flush(w.came.Take(o)) }

func (w *writer) flush(tick []observation.Observation) error {
	if len(tick) == 0 {
		return nil
	}
	if err := w.saidBefore(incident.NewestTick(tick)); err != nil {
		return err
	}
	for _, o := range tick {
		if !w.yield(trace.Row{Observation: o}, nil) {
			return errEnough
		}
	}
	return nil
}

// saidBefore writes what was said at ticks before the given one, or all that is
// left: it stands behind the observations of its tick.
func (w *writer) saidBefore(tick time.Time) error {
	for len(w.said) > 0 && (tick.IsZero() || w.said[0].Tick.Before(tick)) {
		d := w.said[0]
		w.said = w.said[1:]
		row := trace.Row{
			Said: d.Action, By: incident.ParseReason(d.Reason).By,
			Observation: observation.Observation{IncidentKey: d.IncidentKey, Source: d.Source, Tick: d.Tick, Verdict: observation.Unknown},
		}
		if !w.yield(row, nil) {
			return errEnough
		}
	}
	return nil
}
