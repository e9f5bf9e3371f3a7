package memory

import (
	"context"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Locate finds an outbox item by its delivery id. It returns
// delivery.ErrNotFound when there is none.
func (s *Store) Locate(ctx context.Context, deliveryID string) (delivery.Ref, error) {
	return do(ctx, s, "Locate", deliveryID, func() (delivery.Ref, error) {
		for _, slots := range s.outbox {
			for _, d := range slots {
				if d.ID == deliveryID {
					return d.Ref(), nil
				}
			}
		}
		return delivery.Ref{}, delivery.ErrNotFound
	})
}

// Receive writes what a receipt has made of an item, adds to the usage counters
// and inserts what follows from it where it is not there already. It returns
// delivery.ErrFenced when the item has changed since it was read.
func (s *Store) Receive(ctx context.Context, before, after delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error {
	return s.run(ctx, "Receive", after.IncidentKey, func() error {
		ref := after.Ref()
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
