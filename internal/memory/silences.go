package memory

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/silence"
)

// PutSilence stores a silence, or returns silence.ErrExists.
func (s *Store) PutSilence(ctx context.Context, one silence.Silence) error {
	return s.run(ctx, "PutSilence", one.ID, func() error {
		if _, exists := s.silences[one.ID]; exists {
			return fmt.Errorf("write silence %s: %w", one.ID, silence.ErrExists)
		}
		if err := writable(row{"operations", "silence", one.ID, one}); err != nil {
			return fmt.Errorf("write silence %s: %w", one.ID, err)
		}
		s.silences[one.ID] = clone(one)
		return nil
	})
}

// EndSilence records that a person ended a stored silence at a time. One that was
// ended before stays unchanged.
func (s *Store) EndSilence(ctx context.Context, id, by string, at time.Time) error {
	return s.run(ctx, "EndSilence", id, func() error {
		one, ok := s.silences[id]
		if !ok {
			return fmt.Errorf("end silence %s: %w", id, silence.ErrNotFound)
		}
		if one.EndedAt.IsZero() {
			one.EndedAt, one.EndedBy = at, by
			s.silences[id] = one
		}
		return nil
	})
}

// Silences returns the stored silences, past ones too, by id.
func (s *Store) Silences(ctx context.Context) (silence.Set, error) {
	return do(ctx, s, "Silences", "", func() (silence.Set, error) {
		return slices.SortedFunc(maps.Values(s.silences), func(a, b silence.Silence) int { return cmp.Compare(a.ID, b.ID) }), nil
	})
}
