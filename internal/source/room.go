package source

import (
	"context"
	"sync"
)

// decodedAtOnce bounds, in bytes before decoding, the pages that are decoded side by
// side. A page of many small values takes up to 65 times its size when decoded, so
// one page of this size fits a function of 512 MB, and two do not.
const decodedAtOnce int64 = 4 << 20

// room is a budget that the large pages of several sources share: each takes its own
// size and waits until that much is free, first come first served. A page that is
// larger than the budget takes all of it.
type room struct {
	mu      sync.Mutex
	left    int64
	size    int64
	waiting []claim
}

type claim struct {
	n     int64
	given chan struct{}
}

func newRoom(size int64) *room { return &room{size: size, left: size} }

// take waits for room and returns a function that gives it back.
func (r *room) take(ctx context.Context, n int64) (func(), error) {
	c := claim{n: min(n, r.size), given: make(chan struct{})}
	r.mu.Lock()
	r.waiting = append(r.waiting, c)
	r.serve()
	r.mu.Unlock()
	select {
	case <-c.given:
		return func() { r.give(c.n) }, nil
	case <-ctx.Done():
		r.leave(c)
		return nil, ctx.Err()
	}
}

func (r *room) give(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left += n
	r.serve()
}

// leave withdraws a claim, or gives back what it has been granted meanwhile.
func (r *room) leave(c claim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, w := range r.waiting {
		if w.given == c.given {
			r.waiting = append(r.waiting[:i:i], r.waiting[i+1:]...)
			r.serve()
			return
		}
	}
	r.left += c.n
	r.serve()
}

// serve grants room to the waiting claims, in order.
func (r *room) serve() {
	for len(r.waiting) > 0 && r.waiting[0].n <= r.left {
		r.left -= r.waiting[0].n
		close(r.waiting[0].given)
		r.waiting = r.waiting[1:]
	}
}
