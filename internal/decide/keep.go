package decide

import (
	"context"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Keeper gives what is stored of an episode a new time to live.
type Keeper interface {
	Keep(ctx context.Context, key string, episode int) error
}

// keep puts off when the decisions and messages of an open incident expire, each
// time that half of what they are kept for is over. Almost no incident is open for
// so long; one that is has its whole story, and the messages that later ones answer
// to, for as long as it is.
func (l *Lapser) keep(ctx context.Context, s incident.State, tick time.Time) (incident.State, error) {
	half := shortest(l.Config.Retention.Decisions, l.Config.Retention.Deliveries) / 2
	since := s.OpenedAt
	if s.KeptAt.After(since) {
		since = s.KeptAt
	}
	if l.Rows == nil || !s.Open || half == 0 || tick.Sub(since) < half {
		return s, nil
	}
	if err := l.Rows.Keep(ctx, s.Key, s.Episode); err != nil {
		return s, fmt.Errorf("keep its decisions and messages: %w", err)
	}
	// A crash before this has them kept once more.
	s.KeptAt = tick
	if err := l.Store.Save(ctx, s); err != nil {
		return s, err
	}
	s.Version++
	return s, nil
}

// shortest is the shorter of two times, of which zero is for ever.
func shortest(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
