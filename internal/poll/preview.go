package poll

import (
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// Preview is what a poll would write of a listing while no key is open or on a
// streak, and what it could not use.
func Preview(src config.Source, tick time.Time, l observation.Listing) ([]observation.Observation, []observation.Problem) {
	s := observe(src, tick, l, nil)
	return s.observations, s.problems
}
