package pages

import (
	"context"
	"sync"
	"time"
)

// reread is the minimum time between reads of the secret for links that do not verify. A
// link may be signed with a secret that was stored a moment ago, but requests with bad
// links must not cause a read each.
const reread = 30 * time.Second

// Checker checks links.
type Checker struct {
	// Secret is the reference to the signing secret.
	Secret  string
	Secrets Secrets
	Now     func() time.Time

	mu   sync.Mutex
	read time.Time
}

// Check returns the claim of the link with this path, and false if it has no valid
// signature or has expired. An error means that no link can be checked now.
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
