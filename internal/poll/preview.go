package poll

import (
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// Preview returns the observations that a poll would write for a listing if no key were
// open or on a streak, and the listing's problems.
func Preview(src config.Source, tick time.Time, l observation.Listing) ([]observation.Observation, []observation.Problem) {
	s := observe(src, tick, l, nil)
	return s.observations, s.problems
}
