package decide

import (
	"context"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// Stored reads stored observations, whether or not their stream records were
// processed.
type Stored interface {
	ObservationsSince(ctx context.Context, from time.Time, yield func(observation.Observation, error) error) error
}

// Redriven is the result of a redrive.
type Redriven struct {
	// Observations counts the observations folded again, Incidents their incidents.
	Observations int
	Incidents    int
	// Unreadable holds an error for each row that cannot be read.
	Unreadable []error
	// Failed maps each incident that could not be written to its error.
	Failed map[string]error
}

// Redrive folds every stored observation since a tick again. Observations that were
// folded before are stale and change nothing. Those whose stream record was lost or
// failed are folded now, unless a later observation has overtaken them.
func (d *Decider) Redrive(ctx context.Context, from time.Time, stored Stored) (Redriven, error) {
	var (
		r    Redriven
		all  []observation.Observation
		keys = make(map[string]bool)
	)
	err := stored.ObservationsSince(ctx, from, func(o observation.Observation, err error) error {
		if err != nil {
			r.Unreadable = append(r.Unreadable, err)
			return nil
		}
		all = append(all, o)
		keys[o.IncidentKey] = true
		return nil
	})
	if err != nil {
		return r, fmt.Errorf("read the stored observations: %w", err)
	}
	r.Observations, r.Incidents = len(all), len(keys)
	r.Failed = d.Decide(ctx, all)
	return r, nil
}
