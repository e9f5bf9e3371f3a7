package pages

import (
	"context"
	"sync"
	"time"
)

// reread is how often at most the secret is read anew for a link that does not
// verify: it may have been signed with one that was stored a moment ago, and
// nobody shall make this ask as often as he asks.
const reread = 30 * time.Second

// Checker checks links.
type Checker struct {
	// Secret is the reference to what links are signed with.
	Secret  string
	Secrets Secrets
	Now     func() time.Time

	mu   sync.Mutex
	read time.Time
}

// Check returns what the link with this path lets its holder see, and false for
// whatever was not signed here or has expired. An error says that nothing can
// be checked now, whatever the path is.
func (c *Checker) Check(ctx context.Context, path string) (Claim, bool, error) {
	all, err := keys(ctx, c.Secrets, c.Secret)
	if err != nil {
		return Claim{}, false, err
	}
	s, ok := open(path)
	if !ok || !c.Now().Before(s.claim.Expires) {
		return Claim{}, false, nil
	}
	if s.by(all) {
		return s.claim, true, nil
	}
	if !c.mayReread() {
		return Claim{}, false, nil
	}
	c.Secrets.Invalidate(c.Secret)
	if all, err = keys(ctx, c.Secrets, c.Secret); err != nil || !s.by(all) {
		return Claim{}, false, err
	}
	return s.claim, true, nil
}

func (c *Checker) mayReread() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.Now()
	if now.Before(c.read.Add(reread)) {
		return false
	}
	c.read = now
	return true
}
