package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Delivery reads one outbox item. It returns delivery.ErrNotFound when there is
// none.
func (s *Store) Delivery(ctx context.Context, ref delivery.Ref) (delivery.Delivery, error) {
	return do(ctx, s, "Delivery", ref.IncidentKey, func() (delivery.Delivery, error) {
		d, found := s.outbox[ref.IncidentKey][ref.Slot]
		if !found {
			return d, delivery.ErrNotFound
		}
		return d, nil
	})
}

// Episode reads all outbox items of one episode, by sequence and destination.
func (s *Store) Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error) {
	return do(ctx, s, "Episode", key, func() ([]delivery.Delivery, error) {
		var all []delivery.Delivery
		for _, slot := range slices.Sorted(maps.Keys(s.outbox[key])) {
			if strings.HasPrefix(slot, delivery.EpisodePrefix(episode)) {
				all = append(all, s.outbox[key][slot])
			}
		}
		return all, nil
	})
}

// Episodes yields the outbox items of a key's episodes from the first to the last
// one, in the order of their slots, until an error.
func (s *Store) Episodes(ctx context.Context, key string, first, last int, yield func(delivery.Delivery) error) error {
	all, err := do(ctx, s, "Episodes", key, func() ([]delivery.Delivery, error) {
		var all []delivery.Delivery
		for _, slot := range slices.Sorted(maps.Keys(s.outbox[key])) {
			if d := s.outbox[key][slot]; d.Episode >= first && d.Episode <= last {
				all = append(all, d)
			}
		}
		return all, nil
	})
	return each(all, err, yield)
}

// Deliveries yields every outbox item, sorted by incident and slot, until an
// error.
func (s *Store) Deliveries(ctx context.Context, yield func(delivery.Delivery) error) error {
	all, err := do(ctx, s, "Deliveries", "", func() ([]delivery.Delivery, error) {
		var all []delivery.Delivery
		for _, key := range slices.Sorted(maps.Keys(s.outbox)) {
			for _, slot := range slices.Sorted(maps.Keys(s.outbox[key])) {
				all = append(all, s.outbox[key][slot])
			}
		}
		return all, nil
	})
	return each(all, err, yield)
}

// Due returns at most limit items that are due at the given time, oldest first. The
// index may lag.
func (s *Store) Due(ctx context.Context, now time.Time, limit int) ([]delivery.Due, error) {
	return do(ctx, s, "Due", "", func() ([]delivery.Due, error) {
		var found []delivery.Due
		for _, d := range s.due.read() {
			if !d.DueAt.After(now) {
				found = append(found, d)
			}
		}
		slices.SortFunc(found, func(a, b delivery.Due) int {
			return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.IncidentKey, b.IncidentKey), cmp.Compare(a.Slot, b.Slot))
		})
		return found[:min(max(limit, 0), len(found))], nil
	})
}

// Keep does nothing: nothing expires here.
func (s *Store) Keep(ctx context.Context, key string, _ int) error {
	return s.run(ctx, "Keep", key, func() error { return nil })
}
