// Package report measures how well Ringonce does its work over a period, from
// what was stored: how soon failures are detected and told, what arrives twice,
// how much vendors are asked, what destinations refuse, how much each owner is
// told, and how many incidents can be reconstructed. It only reads.
//
// It goes through the incidents of the period, a few side by side, and keeps of each
// its short row and what is counted: eight bytes for a measured time, and a line for
// an incident that lacks something. Decisions, messages and polls are not kept.
package report

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Store is what is measured.
type Store interface {
	// Incidents yields every incident's row, and reads the whole table.
	Incidents(ctx context.Context, yield func(incident.State) error) error
	Decisions(ctx context.Context, key string) ([]incident.Decision, error)
	Episodes(ctx context.Context, key string, first, last int, yield func(delivery.Delivery) error) error
	Observations(ctx context.Context, key string, from, to time.Time, yield func(observation.Observation) error) error
	RunsBetween(ctx context.Context, source string, from, to time.Time, yield func(observation.Run) error) error
}
