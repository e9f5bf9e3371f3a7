package explain_test

import (
	"context"

	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// longStore yields observations that are not in the store, which would take a
// while to sort them in.
type longStore struct {
	*memory.Store
	all []observation.Observation
}

func (s *longStore) Verdicts(_ context.Context, _ string, yield func(observation.Observation) error) error {
	for _, o := range s.all {
		if err := yield(o); err != nil {
			return err
		}
	}
	return nil
}
