package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ringonce/ringonce/internal/incident"
)

// States reads the states of many keys. Keys without one are absent.
func (s *Store) States(ctx context.Context, keys []string) (map[string]incident.State, error) {
	return do(ctx, s, "States", "", func() (map[string]incident.State, error) {
		found := make(map[string]incident.State, len(keys))
		for _, k := range keys {
			if state, ok := s.states[k]; ok {
				found[k] = state
			}
		}
		return found, nil
	})
}

// Save writes a state over the version that was read. It returns incident.ErrConflict
// when the state has changed since.
func (s *Store) Save(ctx context.Context, state incident.State) error {
	return s.run(ctx, "Save", state.Key, func() error {
		if err := writable(stateRow(state)); err != nil {
			return fmt.Errorf("save incident %s: %w", state.Key, err)
		}
		return s.putState(state)
	})
}

func (s *Store) putState(state incident.State) error {
	if s.states[state.Key].Version != state.Version {
		return incident.ErrConflict
	}
	wasActive := s.states[state.Key].Active()
	state.Version++
	s.states[state.Key] = clone(state)
	switch {
	case state.Active():
		s.active.put(state.Key, slices.Sorted(maps.Keys(state.Sources)))
	case wasActive:
		s.active.drop(state.Key)
	}
	return nil
}

func stateRow(state incident.State) row { return row{"incidents", state.Key, "state", state} }

// ActiveKeys returns, sorted, the keys whose health polls must keep reporting, each
// with the sources that have reported on it. The index may lag.
func (s *Store) ActiveKeys(ctx context.Context) ([]incident.Active, error) {
	return do(ctx, s, "ActiveKeys", "", func() ([]incident.Active, error) {
		var active []incident.Active
		held := s.active.read()
		for _, key := range slices.Sorted(maps.Keys(held)) {
			active = append(active, incident.Active{Key: key, Sources: held[key]})
		}
		return active, nil
	})
}

// Decisions returns a key's log of decisions, oldest first.
func (s *Store) Decisions(ctx context.Context, key string) ([]incident.Decision, error) {
	return do(ctx, s, "Decisions", key, func() ([]incident.Decision, error) { return s.decisions[key], nil })
}

// Incidents yields the state of every key, sorted, until an error.
func (s *Store) Incidents(ctx context.Context, yield func(incident.State) error) error {
	all, err := do(ctx, s, "Incidents", "", func() ([]incident.State, error) {
		var all []incident.State
		for _, key := range slices.Sorted(maps.Keys(s.states)) {
			all = append(all, s.states[key])
		}
		return all, nil
	})
	return each(all, err, yield)
}
