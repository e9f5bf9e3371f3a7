package source

import (
	"context"
	"fmt"
)

// canary is what a poll has seen of the configured canary, which every good answer
// holds.
type canary struct {
	// items counts the listed items, the canary's own included; seen says that its
	// item was among them.
	items int
	seen  bool
	// broken is the first error of the canary's program.
	broken error
}

// matches reports whether an item is the canary. The canary proves that the source
// can see what it should, and is no incident.
func (c *canary) matches(ctx context.Context, p *program, item any) bool {
	c.items++
	if p == nil {
		return false
	}
	v, err := p.one(ctx, item)
	if err != nil && c.broken == nil {
		c.broken = err
	}
	matches := err == nil && v == true
	c.seen = c.seen || matches
	return matches
}

// checkCanary makes a listing without its canary incomplete: credentials that see
// nothing get the same answer as when all is well.
func (f *fetch) checkCanary() {
	want := f.src.Canary
	if want.MinItems > 0 {
		f.list.Canary = fmt.Sprintf("%d items, at least %d wanted", f.canary.items, want.MinItems)
		if f.canary.items < want.MinItems {
			f.problem("canary", f.list.Canary+": this answer proves nothing; check what the credentials may see, and the query")
		}
	}
	if want.Item == "" {
		return
	}
	said := "its item is there"
	if !f.canary.seen {
		said = "its item is missing"
		why := "this answer proves nothing; check what the credentials may see, and the query"
		if f.canary.broken != nil {
			why = "canary.item: " + f.canary.broken.Error()
		}
		f.problem("canary", said+": "+why)
	}
	if f.list.Canary != "" {
		f.list.Canary += "; "
	}
	f.list.Canary += said
}
