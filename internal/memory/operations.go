package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// PutPolicy stores the content of a policy under its hash, unless it is stored
// already.
func (s *Store) PutPolicy(ctx context.Context, hash string, content []byte) error {
	return s.run(ctx, "PutPolicy", hash, func() error {
		if _, exists := s.policies[hash]; !exists {
			s.policies[hash] = clone(content)
		}
		return nil
	})
}

// Policy reads what PutPolicy stored; nil when no policy has that hash.
func (s *Store) Policy(ctx context.Context, hash string) ([]byte, error) {
	return do(ctx, s, "Policy", hash, func() ([]byte, error) { return s.policies[hash], nil })
}

// Usage returns the counters of the UTC days from that of from to that of to, both
// included, sorted.
func (s *Store) Usage(ctx context.Context, from, to time.Time) ([]delivery.Usage, error) {
	first, last := from.UTC().Format(time.DateOnly), to.UTC().Format(time.DateOnly)
	return do(ctx, s, "Usage", "", func() ([]delivery.Usage, error) {
		var found []delivery.Usage
		for _, u := range slices.SortedFunc(maps.Values(s.usage), byUsage) {
			if u.Day >= first && u.Day <= last {
				found = append(found, u)
			}
		}
		return found, nil
	})
}

// count adds to the counters of a day, owner, cost center, channel and source.
func (s *Store) count(u delivery.Usage) {
	of := u.Subject()
	s.usage[of] = of.Plus(s.usage[of]).Plus(u)
}

func byUsage(a, b delivery.Usage) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Owner, b.Owner),
		cmp.Compare(a.CostCenter, b.CostCenter), cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Source, b.Source))
}
