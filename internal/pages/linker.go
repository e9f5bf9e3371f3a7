package pages

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

const (
	// patience is how long a decision waits for the secret, and pause how long
	// nobody asks for one that could not be read: a message without its link is
	// worth more than one that is late.
	patience = 2 * time.Second
	pause    = time.Minute
)

// Linker makes links. A nil Linker makes none.
type Linker struct {
	// URL is where the pages are served, such as that of a function.
	URL string
	// Secret is the reference to what links are signed with.
	Secret   string
	ValidFor time.Duration
	Secrets  Secrets
	Now      func() time.Time
	Log      *slog.Logger

	mu     sync.Mutex
	broken time.Time
}

// Link returns the address of an episode's page, or nothing when it cannot be
// signed: the message then goes without it.
func (l *Linker) Link(ctx context.Context, key string, episode int) string {
	if l == nil || l.resting() {
		return ""
	}
	reading, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	all, err := keys(reading, l.Secrets, l.Secret)
	if err != nil {
		l.rest()
		l.Log.ErrorContext(ctx, "messages go without a link to their incident's page: its secret cannot be read", "reference", l.Secret, "error", err)
		return ""
	}
	c := Claim{Key: key, Episode: episode, Expires: l.Now().Add(l.ValidFor)}
	return strings.TrimRight(l.URL, "/") + c.path(all[0])
}

func (l *Linker) resting() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Now().Before(l.broken)
}

func (l *Linker) rest() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = l.Now().Add(pause)
}
