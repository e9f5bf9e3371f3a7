package memory

import "context"

// Forget deletes a key's observations and decisions and returns the number of rows.
// Its deliveries stay.
func (s *Store) Forget(ctx context.Context, key string) (rows int, err error) {
	return do(ctx, s, "Forget", key, func() (int, error) {
		rows := len(s.observations[key]) + len(s.decisions[key])
		if _, ok := s.states[key]; ok {
			rows++
		}
		delete(s.observations, key)
		delete(s.decisions, key)
		delete(s.states, key)
		s.active.drop(key)
		return rows, nil
	})
}
