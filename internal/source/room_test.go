package source

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
)

// Pages that together are larger than the room are decoded one after the other.
func TestRoomIsNeverOverdrawn(t *testing.T) {
	r := newRoom(10)
	var used, most atomic.Int64
	var wg sync.WaitGroup
	for i := range 200 {
		n := int64(1 + i%13)
		wg.Go(func() {
			give, err := r.take(context.Background(), n)
			if err != nil {
				t.Error(err)
				return
			}
			now := used.Add(min(n, 10))
			for have := most.Load(); now > have && !most.CompareAndSwap(have, now); have = most.Load() {
			}
			used.Add(-min(n, 10))
			give()
		})
	}
	wg.Wait()
	if most.Load() > 10 || r.left != 10 || len(r.waiting) != 0 {
		t.Errorf("at most %d of 10 in use, %d left, %d waiting", most.Load(), r.left, len(r.waiting))
	}
}

// Who stops waiting takes nothing along and holds nobody up.
func TestRoomOfThoseWhoLeave(t *testing.T) {
	r := newRoom(10)
	give, err := r.take(t.Context(), 8)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.take(gone, 5); err == nil {
		t.Fatal("room was given that there is not")
	}
	small, err := r.take(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	small()
	give()
	if r.left != 10 || len(r.waiting) != 0 {
		t.Errorf("%d left, %d waiting", r.left, len(r.waiting))
	}
}
