package memory

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// PutObservation stores an observation unless one of the same key, tick and source
// exists: the first write wins. It reports whether it wrote. Nothing expires here.
func (s *Store) PutObservation(ctx context.Context, o observation.Observation, _ time.Time) (created bool, err error) {
	return do(ctx, s, "PutObservation", o.IncidentKey, func() (bool, error) {
		at, exists := slices.BinarySearchFunc(s.observations[o.IncidentKey], o, byID)
		if exists {
			return false, nil
		}
		if err := writable(row{"observations", o.IncidentKey, o.ID(), o}); err != nil {
			return false, fmt.Errorf("write observation %s of %s: %w: %w", o.ID(), o.IncidentKey, observation.ErrUnwritable, err)
		}
		s.observations[o.IncidentKey] = slices.Insert(s.observations[o.IncidentKey], at, clone(o))
		s.insertedObservations = append(s.insertedObservations, clone(o))
		return true, nil
	})
}

func byID(a, b observation.Observation) int { return cmp.Compare(a.ID(), b.ID()) }

// Observations yields a key's observations with from ≤ tick ≤ to, in tick
// order; a zero time leaves that end open. It stops at the first error.
func (s *Store) Observations(ctx context.Context, key string, from, to time.Time, yield func(observation.Observation) error) error {
	found, err := do(ctx, s, "Observations", key, func() ([]observation.Observation, error) {
		var within []observation.Observation
		for _, o := range s.observations[key] {
			if !o.Tick.Before(from) && (to.IsZero() || !o.Tick.After(to)) {
				within = append(within, o)
			}
		}
		return within, nil
	})
	return each(found, err, yield)
}

// ObservationsSince yields the observations of all keys with a tick from the given
// one on, in no defined order. Every row can be read here, so it yields no error. It
// stops at yield's first error.
func (s *Store) ObservationsSince(ctx context.Context, from time.Time, yield func(observation.Observation, error) error) error {
	found, err := do(ctx, s, "ObservationsSince", "", func() ([]observation.Observation, error) {
		var within []observation.Observation
		for _, key := range slices.Sorted(maps.Keys(s.observations)) {
			for _, o := range s.observations[key] {
				if !o.Tick.Before(from) {
					within = append(within, o)
				}
			}
		}
		return within, nil
	})
	return each(found, err, func(o observation.Observation) error { return yield(o, nil) })
}

// each yields what was found, without holding the lock.
func each[T any](found []T, err error, yield func(T) error) error {
	if err != nil {
		return err
	}
	for _, v := range found {
		if err := yield(v); err != nil {
			return err
		}
	}
	return nil
}
