package deliver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ringonce/ringonce/internal/delivery"
)

// laneOf returns the items of self's lane in an episode. An item that a digest covers
// has the digest's state. A fallback's lane also holds the items that reached it in a
// digest of the destination that it replaces.
func (l *lane) laneOf(ctx context.Context, self delivery.Delivery, episode []delivery.Delivery) ([]delivery.Delivery, error) {
	lane := delivery.Lane(self, episode)
	for i, d := range lane {
		if !inDigest(d, episode) {
			continue
		}
		var err error
		if lane[i], _, err = l.throughDigest(ctx, d); err != nil {
			return nil, err
		}
	}
	if self.For == "" {
		return lane, nil
	}
	for _, d := range episode {
		if d.Destination != self.For || d.For != "" || !inDigest(d, episode) {
			continue
		}
		d.Destination, d.For = self.Destination, self.For
		d, found, err := l.throughDigest(ctx, d)
		if err != nil {
			return nil, err
		}
		if found {
			lane = append(lane, d)
		}
	}
	slices.SortStableFunc(lane, func(a, b delivery.Delivery) int { return a.Sequence - b.Sequence })
	return lane, nil
}

// inDigest reports whether a digest covers the item.
func inDigest(d delivery.Delivery, episode []delivery.Delivery) bool {
	return d.State == delivery.Superseded && d.In != "" &&
		!slices.ContainsFunc(episode, func(s delivery.Delivery) bool { return s.ID == d.In })
}

// throughDigest returns an item that a digest covers with the digest's state, so that
// later items wait for the digest. It reports whether the digest exists at the item's
// destination.
func (l *lane) throughDigest(ctx context.Context, d delivery.Delivery) (delivery.Delivery, bool, error) {
	digest, err := l.Ledger.Delivery(ctx, delivery.DigestRef(d.In, d.Destination, d.For))
	if errors.Is(err, delivery.ErrNotFound) {
		return d, false, nil
	}
	if err != nil {
		return d, false, fmt.Errorf("read the digest that tells it: %w", err)
	}
	d.State, d.DueAt = digest.State, digest.DueAt
	if l.known && d.State == delivery.Superseded && !digest.Doubtful() {
		// A person has closed the digest, which was dead and has certainly not arrived.
		d.State = delivery.Dead
	}
	if !digest.State.Final() {
		// The item must not be claimed: the digest is delivered as an item of its own.
		now := l.Now()
		d.State, d.LeaseUntil = delivery.Sending, now.Add(l.Recheck)
		if digest.DueAt.After(d.LeaseUntil) {
			d.LeaseUntil = digest.DueAt
		}
		d.DueAt = d.LeaseUntil
	}
	return d, true, nil
}
