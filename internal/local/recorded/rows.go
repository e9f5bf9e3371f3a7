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
}

// errEnough ends a reading whose reader has had enough.
var errEnough = errors.New("enough")

// Rows are all stored observations, key by key, each key's in the order
// in which they are decided on. Memory holds the keys, and one tick's rows.
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
	var tick []observation.Observation
	flush := func() error {
		slices.SortStableFunc(tick, incident.InOrder)
		for _, o := range tick {
			if !yield(trace.Row{Observation: o}, nil) {
				return errEnough
			}
		}
		tick = tick[:0]
		return nil
	}
	err := from.Observations(ctx, key, time.Time{}, time.Time{}, func(o observation.Observation) error {
		if len(tick) > 0 && !o.Tick.Equal(tick[0].Tick) {
			if err := flush(); err != nil {
				return err
			}
		}
		tick = append(tick, o)
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}
