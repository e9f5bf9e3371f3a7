package pages

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

const (
	// patience is how long a decision waits for the secret. pause is how long no read is
	// tried after one has failed: a message without a link is better than a late one.
	patience = 2 * time.Second
	pause    = time.Minute
)

// Linker makes links. A nil Linker makes none.
type Linker struct {
	// URL is the base URL of the pages, such as a function URL.
	URL string
	// Secret is the reference to the signing secret.
	Secret   string
	ValidFor time.Duration
	Secrets  Secrets
	Now      func() time.Time
	Log      *slog.Logger

	mu sync.Mutex
	// pausedUntil is when the secret may be read again after a failure.
	pausedUntil time.Time
}

// Link returns the URL of an episode's page, or "" if it cannot be signed. The message is
// then sent without a link.
func (l *Linker) Link(ctx context.Context, key string, episode int) string {
	if l == nil || l.paused() {
		return ""
	}
	reading, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	all, err := keys(reading, l.Secrets, l.Secret)
	if err != nil {
		l.startPause()
		l.Log.ErrorContext(ctx, "messages go without a link to their incident's page: its secret cannot be read", "reference", l.Secret, "error", err)
		return ""
	}
	c := Claim{Key: key, Episode: episode, Expires: l.Now().Add(l.ValidFor)}
	return strings.TrimRight(l.URL, "/") + c.path(all[0])
}

func (l *Linker) paused() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Now().Before(l.pausedUntil)
}

func (l *Linker) startPause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pausedUntil = l.Now().Add(pause)
}
