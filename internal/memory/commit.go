package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// maxDeliveries is what fits into one DynamoDB transaction of 100 rows beside
// the state and the decision.
const maxDeliveries = 98

// Commit writes a state, the decision that led to it and its outbox items: all
// of them or none. It returns incident.ErrConflict when the state has moved on
// since it was read. A decision or an outbox item that is there already stays.
func (s *Store) Commit(ctx context.Context, state incident.State, d incident.Decision, out []delivery.Delivery) error {
	return s.run(ctx, "Commit", state.Key, func() error {
		if len(out) > maxDeliveries {
			return fmt.Errorf("commit %s of incident %s: %d deliveries, at most %d: configure fewer destinations for the owner",
				d.Action, state.Key, len(out), maxDeliveries)
		}
		if err := s.putState(state); err != nil {
			return err
		}
		s.putDecision(d)
		for _, o := range out {
			s.insertDelivery(o)
		}
		return nil
	})
}

func (s *Store) putDecision(d incident.Decision) {
	log := s.decisions[d.IncidentKey]
	at, exists := slices.BinarySearchFunc(log, d, func(a, b incident.Decision) int { return cmp.Compare(a.Seq, b.Seq) })
	if !exists {
		s.decisions[d.IncidentKey] = slices.Insert(log, at, clone(d))
	}
}

func (s *Store) insertDelivery(d delivery.Delivery) {
	ref := d.Ref()
	if _, exists := s.outbox[ref.IncidentKey][ref.Slot]; exists {
		return
	}
	if s.outbox[ref.IncidentKey] == nil {
		s.outbox[ref.IncidentKey] = make(map[string]delivery.Delivery)
	}
	s.putDelivery(d)
	s.insertedDeliveries = append(s.insertedDeliveries, d.Due())
}

// putDelivery keeps the index of what is due in step with the item.
func (s *Store) putDelivery(d delivery.Delivery) {
	ref := d.Ref()
	s.outbox[ref.IncidentKey][ref.Slot] = clone(d)
	if d.State.Final() {
		delete(s.due, ref)
		return
	}
	s.due[ref] = d.Due()
}
