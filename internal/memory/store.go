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
	// late decides which changes an index does not show yet; nil lags nothing.
	late func() bool

	// runs are by source, then by tick as text.
	runs map[string]map[string]observation.Run
	// observations are by incident key, in the order of their ids.
	observations map[string][]observation.Observation
	states       map[string]incident.State
	// active are the keys that polls must look at, with their sources.
	active    *index[string, []string]
	decisions map[string][]incident.Decision
	// outbox is by incident key, then by slot. due holds those not final; byID is by
	// delivery id.
	outbox   map[string]map[string]delivery.Delivery
	due      *index[delivery.Ref, delivery.Due]
	byID     *index[string, delivery.Ref]
	gates    map[string]delivery.Gate
	beats    map[string]observation.Beat
	usage    map[delivery.Usage]delivery.Usage
	policies map[string][]byte
	silences map[string]silence.Silence

	insertedObservations []observation.Observation
	insertedDeliveries   []delivery.Due
}

// Option changes how a Store works.
type Option func(*Store)

// New returns an empty Store.
func New(options ...Option) *Store {
	s := &Store{
		runs:         make(map[string]map[string]observation.Run),
		observations: make(map[string][]observation.Observation),
		states:       make(map[string]incident.State),
		decisions:    make(map[string][]incident.Decision),
		outbox:       make(map[string]map[string]delivery.Delivery),
		gates:        make(map[string]delivery.Gate),
		beats:        make(map[string]observation.Beat),
		usage:        make(map[delivery.Usage]delivery.Usage),
		policies:     make(map[string][]byte),
		silences:     make(map[string]silence.Silence),
	}
	for _, option := range options {
		option(s)
	}
	s.active = newIndex[string, []string](s.late)
	s.due = newIndex[delivery.Ref, delivery.Due](s.late)
	s.byID = newIndex[string, delivery.Ref](s.late)
	return s
}
