package source

import (
	"context"
	"fmt"
)

// canary is what was seen of that which every good answer holds.
type canary struct {
	// items counts what was listed, the canary's own item included; seen tells
	// that it was there.
	items int
	seen  bool
	// broken is why the program could not tell, the first time it could not.
	broken error
}

// sings tells whether an item is the canary. It proves that the source sees
// what it should, and is no incident.
func (c *canary) sings(ctx context.Context, p *program, item any) bool {
	c.items++
	if p == nil {
		return false
	}
	v, err := p.one(ctx, item)
	if err != nil && c.broken == nil {
		c.broken = err
	}
	sings := err == nil && v == true
	c.seen = c.seen || sings
	return sings
}

// checkCanary makes a listing without its canary incomplete: credentials that
// see nothing give the same answer as a world in which all is well.
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
