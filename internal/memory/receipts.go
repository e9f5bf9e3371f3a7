package memory

import (
	"context"
	"fmt"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Locate finds an outbox item by its delivery id, in an index that may lag. It
// returns delivery.ErrNotFound when there is none.
func (s *Store) Locate(ctx context.Context, deliveryID string) (delivery.Ref, error) {
	return do(ctx, s, "Locate", deliveryID, func() (delivery.Ref, error) {
		ref, found := s.byID.read()[deliveryID]
		if !found {
			return ref, delivery.ErrNotFound
		}
		return ref, nil
	})
}

// Receive writes an item as a receipt has changed it, adds to the usage counters and
// inserts each of more that does not exist yet. It returns delivery.ErrFenced when
// the item has changed since it was read.
func (s *Store) Receive(ctx context.Context, before, after delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error {
	return s.run(ctx, "Receive", after.IncidentKey, func() error {
		ref := after.Ref()
		if err := writable(append(deliveryRows(more...), deliveryRow(after), usageRow(u))...); err != nil {
			return fmt.Errorf("write the receipt of delivery %s: %w", after.ID, err)
		}
		held := s.outbox[ref.IncidentKey][ref.Slot]
		if held.State != before.State || held.Fence != before.Fence || held.Receipt != before.Receipt {
			return delivery.ErrFenced
		}
		s.putDelivery(after)
		s.count(u)
		for _, m := range more {
			s.insertDelivery(m)
		}
		return nil
	})
}
