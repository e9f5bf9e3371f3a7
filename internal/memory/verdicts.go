package memory

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// Verdicts yields a key's observations in tick order with only key, tick, source,
// verdict, missing, unseen, status and the time of writing.
func (s *Store) Verdicts(ctx context.Context, key string, yield func(observation.Observation) error) error {
	return s.Observations(ctx, key, time.Time{}, time.Time{}, func(o observation.Observation) error {
		return yield(observation.Observation{
			IncidentKey: o.IncidentKey, Tick: o.Tick, Source: o.Source,
			Verdict: o.Verdict, Missing: o.Missing, Unseen: o.Unseen, Status: o.Status, ObservedAt: o.ObservedAt,
		})
	})
}
