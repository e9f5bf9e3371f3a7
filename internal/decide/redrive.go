package decide

import (
	"context"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// Stored are the observations as they are kept, whatever became of their stream
// records.
type Stored interface {
	ObservationsSince(ctx context.Context, from time.Time, yield func(observation.Observation, error) error) error
}

// Redriven says what a redrive came to.
type Redriven struct {
	// Observations were judged again, of so many incidents.
	Observations int
	Incidents    int
	// Unreadable are the rows that nobody will ever be able to judge.
	Unreadable []error
	// Failed are the incidents that could not be written, each with its error.
	Failed map[string]error
}

// Redrive judges every stored observation since a tick again. What was judged
// before is stale and changes nothing; what a lost or failed stream record kept
// from being judged is judged now, if nothing later has overtaken it.
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
