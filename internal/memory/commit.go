package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// Commit writes a state, the decision that led to it and its outbox items: all of
// them or none. It returns incident.ErrConflict when the state has changed since it
// was read. A decision or an outbox item that already exists is left unchanged.
func (s *Store) Commit(ctx context.Context, state incident.State, d incident.Decision, out []delivery.Delivery) error {
	return s.run(ctx, "Commit", state.Key, func() error {
		rows := []row{stateRow(state), {"incidents", d.IncidentKey, fmt.Sprintf("decision#%012d", d.Seq), d}}
		if err := writable(append(rows, deliveryRows(once(out)...)...)...); err != nil {
			return fmt.Errorf("commit %s of incident %s: %w", d.Action, state.Key, err)
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

// once removes duplicate items.
func once(out []delivery.Delivery) []delivery.Delivery {
	given := make(map[delivery.Ref]bool, len(out))
	return slices.DeleteFunc(slices.Clone(out), func(d delivery.Delivery) bool {
		again := given[d.Ref()]
		given[d.Ref()] = true
		return again
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
	s.byID.put(d.ID, ref)
	s.putDelivery(d)
	s.insertedDeliveries = append(s.insertedDeliveries, d.Due())
}

// putDelivery stores an item and updates the index of due items, which may lag.
func (s *Store) putDelivery(d delivery.Delivery) {
	ref := d.Ref()
	s.outbox[ref.IncidentKey][ref.Slot] = clone(d)
	if d.State.Final() {
		s.due.drop(ref)
		return
	}
	s.due.put(ref, d.Due())
}
