package memory

import (
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/observation"
)

// InsertedObservations returns the observations written since the given position, in
// the order in which they were written, as the stream of their table carries them.
// The position is the number of observations that the caller has received so far.
func (s *Store) InsertedObservations(from int) []observation.Observation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return clone(s.insertedObservations[min(from, len(s.insertedObservations)):])
}

// InsertedDeliveries returns what the stream of the outbox carries about the items
// written since the given position, as InsertedObservations does.
func (s *Store) InsertedDeliveries(from int) []delivery.Due {
	s.mu.Lock()
	defer s.mu.Unlock()
	return clone(s.insertedDeliveries[min(from, len(s.insertedDeliveries)):])
}
