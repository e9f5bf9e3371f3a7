// Package explain reconstructs an incident from what is stored: what was observed, what
// was decided and why, why the other observations led to no action, who was told, and
// the outcome of each attempt to tell them. It decides again on the stored observations
// and reports where the result differs from the log of decisions.
//
// It also lists incidents, reports the status of polls and deliveries, and sums up the
// cost of alerting. It only reads.
package explain

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Store is what the package reads from.
type Store interface {
	States(ctx context.Context, keys []string) (map[string]incident.State, error)
	Incidents(ctx context.Context, yield func(incident.State) error) error
	Decisions(ctx context.Context, key string) ([]incident.Decision, error)
	// Verdicts yields all observations of a key, in order of ticks, with only the fields
	// that decide and the vendor's status. Observations yields those from one tick to
	// another in full.
	Verdicts(ctx context.Context, key string, yield func(observation.Observation) error) error
	Observations(ctx context.Context, key string, from, to time.Time, yield func(observation.Observation) error) error
	Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error)
	// Episodes yields the deliveries of the episodes from first to last.
	Episodes(ctx context.Context, key string, first, last int, yield func(delivery.Delivery) error) error
	Deliveries(ctx context.Context, yield func(delivery.Delivery) error) error
	// Locate finds a delivery by its id, and Delivery reads one. Both return
	// delivery.ErrNotFound if there is none.
	Locate(ctx context.Context, deliveryID string) (delivery.Ref, error)
	Delivery(ctx context.Context, ref delivery.Ref) (delivery.Delivery, error)
	// Policy returns the content of a policy by its hash; nil if it is not stored.
	Policy(ctx context.Context, hash string) ([]byte, error)
}
