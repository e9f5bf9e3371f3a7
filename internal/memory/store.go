package memory

import (
	"sync"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/silence"
)

// Store holds all records. It is safe for concurrent use; each operation is one
// atomic step.
type Store struct {
	mu   sync.Mutex
	hook Hook

	// runs are by source, then by tick as text.
	runs map[string]map[string]observation.Run
	// observations are by incident key, in the order of their ids.
	observations map[string][]observation.Observation
	states       map[string]incident.State
	decisions    map[string][]incident.Decision
	// outbox is by incident key, then by slot. due holds those not final.
	outbox   map[string]map[string]delivery.Delivery
	due      map[delivery.Ref]delivery.Due
	gates    map[string]delivery.Gate
	beats    map[string]observation.Beat
	usage    map[delivery.Usage]delivery.Usage
	policies map[string][]byte
	silences map[string]silence.Silence

	insertedObservations []observation.Observation
	insertedDeliveries   []delivery.Due
}

// New returns an empty Store.
func New() *Store {
	return &Store{
		runs:         make(map[string]map[string]observation.Run),
		observations: make(map[string][]observation.Observation),
		states:       make(map[string]incident.State),
		decisions:    make(map[string][]incident.Decision),
		outbox:       make(map[string]map[string]delivery.Delivery),
		due:          make(map[delivery.Ref]delivery.Due),
		gates:        make(map[string]delivery.Gate),
		beats:        make(map[string]observation.Beat),
		usage:        make(map[delivery.Usage]delivery.Usage),
		policies:     make(map[string][]byte),
		silences:     make(map[string]silence.Silence),
	}
}
