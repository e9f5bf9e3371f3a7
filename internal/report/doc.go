// Package report measures from the stored rows how well Ringonce did its work over a
// period: how soon failures were detected and told, how many messages were duplicates,
// how many requests vendors got, what destinations refused, how much each owner was
// told, and how many incidents can be reconstructed. It only reads.
//
// It reads the incidents of the period concurrently, a few at a time. In memory it keeps
// a short row of each incident, eight bytes for each measured time, and a line for each
// incident that cannot be reconstructed; no decisions, messages or polls.
package report

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Store is what the report is measured from.
type Store interface {
	// Incidents yields every incident's row. It reads the whole table.
	Incidents(ctx context.Context, yield func(incident.State) error) error
	Decisions(ctx context.Context, key string) ([]incident.Decision, error)
	Episodes(ctx context.Context, key string, first, last int, yield func(delivery.Delivery) error) error
	Observations(ctx context.Context, key string, from, to time.Time, yield func(observation.Observation) error) error
	RunsBetween(ctx context.Context, source string, from, to time.Time, yield func(observation.Run) error) error
}
