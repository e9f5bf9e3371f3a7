package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Claim claims an item for a worker. It returns delivery.ErrNotClaimable when the
// item is final, not due, held by another worker, or absent.
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

// Settle writes the outcome of a claimed item, adds to the usage counters and inserts
// each of more that does not exist yet. It returns delivery.ErrFenced when a later
// claim has overtaken the one that d carries. Settling again with the same outcome
// only inserts what is missing of more and is no error: a receipt, which does not
// know more, may have settled the item first.
func (s *Store) Settle(ctx context.Context, d delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error {
	return s.run(ctx, "Settle", d.IncidentKey, func() error {
		ref := d.Ref()
		if err := writable(append(deliveryRows(more...), deliveryRow(d), usageRow(u))...); err != nil {
			return fmt.Errorf("settle delivery %s of %s: %w", ref.Slot, ref.IncidentKey, err)
		}
		held := s.outbox[ref.IncidentKey][ref.Slot]
		switch {
		case held.Fence != d.Fence:
			return delivery.ErrFenced
		case held.State == delivery.Sending:
			s.putDelivery(d)
			s.count(u)
			for _, m := range more {
				s.insertDelivery(m)
			}
			return nil
		case held.State == d.State:
			for _, m := range more {
				s.insertDelivery(m)
			}
			return nil
		default:
			return delivery.ErrFenced
		}
	})
}

// Gather replaces pending items by one digest: the members become superseded by into.
// The digest is inserted when it is new, and otherwise its notice and payload are
// replaced. All of that is one step. It returns delivery.ErrFenced, and does nothing,
// when any of them is no longer pending or has been claimed since it was read.
func (s *Store) Gather(ctx context.Context, into delivery.Delivery, members []delivery.Delivery) error {
	return s.run(ctx, "Gather", into.IncidentKey, func() error {
		if err := writable(append(deliveryRows(members...), deliveryRow(into))...); err != nil {
			return fmt.Errorf("gather into delivery %s of %s: %w", into.Ref().Slot, into.IncidentKey, err)
		}
		kept, exists := s.outbox[into.IncidentKey][into.Ref().Slot]
		if exists && !sameWaiting(kept, into) {
			return delivery.ErrFenced
		}
		for _, m := range members {
			if held, ok := s.outbox[m.IncidentKey][m.Ref().Slot]; !ok || !sameWaiting(held, m) {
				return delivery.ErrFenced
			}
		}
		if exists {
			kept.Notice, kept.Payload = into.Notice, into.Payload
			s.putDelivery(kept)
		} else {
			s.insertDelivery(into)
		}
		for _, m := range members {
			s.putDelivery(s.outbox[m.IncidentKey][m.Ref().Slot].Told(into.ID))
		}
		return nil
	})
}

func sameWaiting(held, read delivery.Delivery) bool {
	return held.State == delivery.Pending && held.Fence == read.Fence
}

// Postpone delays an item that waits to be claimed. Any other item, or one that is
// due later anyway, is left unchanged.
func (s *Store) Postpone(ctx context.Context, ref delivery.Ref, until time.Time) error {
	return s.run(ctx, "Postpone", ref.IncidentKey, func() error {
		if d, waiting := s.waiting(ref); waiting && d.DueAt.Before(until) {
			d.DueAt = until
			s.putDelivery(d)
		}
		return nil
	})
}

// Supersede closes an item that waits to be claimed, with the reason as its note, and
// inserts each of more that does not exist yet. Any other item is left unchanged.
func (s *Store) Supersede(ctx context.Context, ref delivery.Ref, note string, more ...delivery.Delivery) error {
	return s.run(ctx, "Supersede", ref.IncidentKey, func() error {
		if d, waiting := s.waiting(ref); waiting {
			if err := writable(append(deliveryRows(more...), deliveryRow(d))...); err != nil {
				return fmt.Errorf("supersede delivery %s of %s: %w", ref.Slot, ref.IncidentKey, err)
			}
			d.State, d.Note = delivery.Superseded, note
			d.DueAt, d.LeaseUntil = time.Time{}, time.Time{}
			s.putDelivery(d)
			for _, m := range more {
				s.insertDelivery(m)
			}
		}
		return nil
	})
}

// Resend makes an item that is held or dead due again, and subtracts it from the
// counters of that outcome. It returns delivery.ErrNotStopped for any other item.
func (s *Store) Resend(ctx context.Context, ref delivery.Ref, now time.Time) error {
	return s.stopped(ctx, "Resend", ref, func(d delivery.Delivery) delivery.Delivery { return d.Resend(now) })
}

// CloseStopped closes an item that is held or dead, and subtracts it from the
// counters of that outcome. It returns delivery.ErrNotStopped for any other item.
func (s *Store) CloseStopped(ctx context.Context, ref delivery.Ref, note string) error {
	return s.stopped(ctx, "CloseStopped", ref, func(d delivery.Delivery) delivery.Delivery { return d.Closed(note) })
}

func (s *Store) stopped(ctx context.Context, op string, ref delivery.Ref, change func(delivery.Delivery) delivery.Delivery) error {
	return s.run(ctx, op, ref.IncidentKey, func() error {
		d, found := s.outbox[ref.IncidentKey][ref.Slot]
		if !found || !d.Stopped() {
			return delivery.ErrNotStopped
		}
		s.putDelivery(change(d))
		s.count(d.TakenBack())
		return nil
	})
}

func (s *Store) waiting(ref delivery.Ref) (delivery.Delivery, bool) {
	d := s.outbox[ref.IncidentKey][ref.Slot]
	return d, d.State == delivery.Pending || d.State == delivery.Unknown
}
