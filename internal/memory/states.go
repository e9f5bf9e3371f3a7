package memory

import (
	"context"
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

// Save writes a state over the version it was read at. It returns
// incident.ErrConflict when the state has moved on.
func (s *Store) Save(ctx context.Context, state incident.State) error {
	return s.run(ctx, "Save", state.Key, func() error { return s.putState(state) })
}

func (s *Store) putState(state incident.State) error {
	if s.states[state.Key].Version != state.Version {
		return incident.ErrConflict
	}
	state.Version++
	s.states[state.Key] = clone(state)
	return nil
}

// ActiveKeys returns the keys that polls must keep telling the health of,
// sorted, with the sources that have spoken for each.
func (s *Store) ActiveKeys(ctx context.Context) ([]incident.Active, error) {
	return do(ctx, s, "ActiveKeys", "", func() ([]incident.Active, error) {
		var active []incident.Active
		for _, key := range slices.Sorted(maps.Keys(s.states)) {
			if state := s.states[key]; state.Active() {
				sources := slices.Sorted(maps.Keys(state.Sources))
				active = append(active, incident.Active{Key: key, Sources: sources})
			}
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
