package decide

import (
	"context"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Keeper extends the retention of an episode's stored decisions and messages.
type Keeper interface {
	Keep(ctx context.Context, key string, episode int) error
}

// extendRetention postpones the expiry of an open incident's decisions and messages
// whenever half of their retention has passed. Few incidents stay open that long; for
// those that do, the history and the messages that later ones reply to remain until
// they resolve.
func (l *Lapser) extendRetention(ctx context.Context, s incident.State, tick time.Time) (incident.State, error) {
	half := shortest(l.Config.Retention.Decisions, l.Config.Retention.Deliveries) / 2
	since := s.OpenedAt
	if s.KeptAt.After(since) {
		since = s.KeptAt
	}
	if l.Retention == nil || !s.Open || half == 0 || tick.Sub(since) < half {
		return s, nil
	}
	if err := l.Retention.Keep(ctx, s.Key, s.Episode); err != nil {
		return s, fmt.Errorf("keep its decisions and messages: %w", err)
	}
	// A crash before the save only extends the retention once more.
	s.KeptAt = tick
	if err := l.Store.Save(ctx, s); err != nil {
		return s, err
	}
	s.Version++
	return s, nil
}

// shortest returns the shorter of two durations, where zero means for ever.
func shortest(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
