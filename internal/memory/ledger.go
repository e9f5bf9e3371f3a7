package memory

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Claim takes an item up for a worker. It returns delivery.ErrNotClaimable when
// the item is final, not due, held by another worker, or not there.
func (s *Store) Claim(ctx context.Context, ref delivery.Ref, worker string, now, leaseUntil time.Time) (delivery.Delivery, error) {
	return do(ctx, s, "Claim", ref.IncidentKey, func() (delivery.Delivery, error) {
		d, found := s.outbox[ref.IncidentKey][ref.Slot]
		if !found || !d.Claimable(now) {
			return delivery.Delivery{}, delivery.ErrNotClaimable
		}
		d = d.Claim(worker, now, leaseUntil)
		s.putDelivery(d)
		return d, nil
	})
}

// Settle writes what became of a claimed item and adds to the usage counters. It
// returns delivery.ErrFenced when the claim that d carries has been overtaken.
// Settling again what is settled alike changes nothing and is no error.
func (s *Store) Settle(ctx context.Context, d delivery.Delivery, u delivery.Usage) error {
	return s.run(ctx, "Settle", d.IncidentKey, func() error {
		ref := d.Ref()
		held := s.outbox[ref.IncidentKey][ref.Slot]
		switch {
		case held.Fence != d.Fence:
			return delivery.ErrFenced
		case held.State == delivery.Sending:
			s.putDelivery(d)
			s.count(u)
			return nil
		case held.State == d.State:
			return nil
		default:
			return delivery.ErrFenced
		}
	})
}

// Postpone puts off an item that waits to be claimed. An item that is not
// waiting, or is due later anyway, stays as it is.
func (s *Store) Postpone(ctx context.Context, ref delivery.Ref, until time.Time) error {
	return s.run(ctx, "Postpone", ref.IncidentKey, func() error {
		if d, waiting := s.waiting(ref); waiting && d.DueAt.Before(until) {
			d.DueAt = until
			s.putDelivery(d)
		}
		return nil
	})
}

// Supersede closes an item that waits to be claimed. The note says why. An item
// that is not waiting stays as it is.
func (s *Store) Supersede(ctx context.Context, ref delivery.Ref, note string) error {
	return s.run(ctx, "Supersede", ref.IncidentKey, func() error {
		if d, waiting := s.waiting(ref); waiting {
			d.State, d.Note = delivery.Superseded, note
			d.DueAt, d.LeaseUntil = time.Time{}, time.Time{}
			s.putDelivery(d)
		}
		return nil
	})
}

func (s *Store) waiting(ref delivery.Ref) (delivery.Delivery, bool) {
	d := s.outbox[ref.IncidentKey][ref.Slot]
	return d, d.State == delivery.Pending || d.State == delivery.Unknown
}
