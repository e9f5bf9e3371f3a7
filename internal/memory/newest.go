package memory

import (
	"context"

	"github.com/ringonce/ringonce/internal/observation"
)

// NewestObservation returns the observation of a key with the latest tick.
func (s *Store) NewestObservation(ctx context.Context, key string) (o observation.Observation, found bool, err error) {
	newest, err := do(ctx, s, "NewestObservation", key, func() ([]observation.Observation, error) {
		all := s.observations[key]
		return all[max(0, len(all)-1):], nil
	})
	if len(newest) == 0 {
		return o, false, err
	}
	return newest[0], true, err
}
