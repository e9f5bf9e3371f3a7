package deliver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ringonce/ringonce/internal/delivery"
)

// laneOf are an episode's messages of the item's lane, as far as they are told
// in digests in the digests' own state. What a fallback was sent in a digest of
// the destination that it stands in for comes before what it is sent by itself.
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

// inDigest reports an item that is told in a message of several incidents.
func inDigest(d delivery.Delivery, episode []delivery.Delivery) bool {
	return d.State == delivery.Superseded && d.In != "" &&
		!slices.ContainsFunc(episode, func(s delivery.Delivery) bool { return s.ID == d.In })
}

// throughDigest gives an item that a digest tells the digest's own state: what
// comes after it waits for the digest. It reports whether there is that digest at
// the item's destination.
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
		// A person has closed it: it was refused or given up, and nobody has seen it.
		d.State = delivery.Dead
	}
	if !digest.State.Final() {
		// Nobody may claim it here: the digest goes by itself.
		now := l.Now()
		d.State, d.LeaseUntil = delivery.Sending, now.Add(l.Recheck)
		if digest.DueAt.After(d.LeaseUntil) {
			d.LeaseUntil = digest.DueAt
		}
		d.DueAt = d.LeaseUntil
	}
	return d, true, nil
}
