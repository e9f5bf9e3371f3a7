// Package explain reconstructs an incident from what was stored: what was
// seen, what was decided and why, what was not decided and why not, who was
// told and how each attempt went. It also lists incidents, says how polls and
// deliveries stand, and adds up what alerting costs. It only reads.
package explain

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Store is what an explanation is read from.
type Store interface {
	States(ctx context.Context, keys []string) (map[string]incident.State, error)
	Incidents(ctx context.Context, yield func(incident.State) error) error
	Decisions(ctx context.Context, key string) ([]incident.Decision, error)
	// Verdicts yields all observations of a key with only what decides, and the
	// vendor's word; Observations yields those of a few ticks in full.
	Verdicts(ctx context.Context, key string, yield func(observation.Observation) error) error
	Observations(ctx context.Context, key string, from, to time.Time, yield func(observation.Observation) error) error
	Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error)
	// Episodes yields the deliveries of the episodes from the first to the last one.
	Episodes(ctx context.Context, key string, first, last int, yield func(delivery.Delivery) error) error
	Deliveries(ctx context.Context, yield func(delivery.Delivery) error) error
	// Locate finds a delivery by its id, and Delivery reads one; both return
	// delivery.ErrNotFound when there is none.
	Locate(ctx context.Context, deliveryID string) (delivery.Ref, error)
	Delivery(ctx context.Context, ref delivery.Ref) (delivery.Delivery, error)
	// Policy returns the content of a policy by its hash; nil when it was not
	// kept.
	Policy(ctx context.Context, hash string) ([]byte, error)
}
