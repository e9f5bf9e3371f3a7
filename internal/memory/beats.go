package memory

import (
	"context"
	"maps"

	"github.com/ringonce/ringonce/internal/observation"
)

// PutBeat stores a beat, unless the part has stored a later one.
func (s *Store) PutBeat(ctx context.Context, b observation.Beat) error {
	return s.run(ctx, "PutBeat", b.Part, func() error {
		if held, found := s.beats[b.Part]; !found || b.After(held) {
			s.beats[b.Part] = b
		}
		return nil
	})
}

// Beats returns the newest beat of each part, by part.
func (s *Store) Beats(ctx context.Context) (map[string]observation.Beat, error) {
	return do(ctx, s, "Beats", "", func() (map[string]observation.Beat, error) { return maps.Clone(s.beats), nil })
}
