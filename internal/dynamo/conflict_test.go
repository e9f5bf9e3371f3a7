package dynamo_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
)

// ConflictForLong is a transaction on the same counters that does not end: a
// settlement is tried again until its lease is over, and counts once, whatever
// comes in between.
func TestConflictForLong(t *testing.T) {
	met := cancelled("None", "TransactionConflict")
	start := func(t *testing.T) (*dynamo.Store, *proxy, delivery.Delivery) {
		s, p := behindProxy(t, 2)
		state, decision := open("k")
		item := pending("k", "slack")
		fatal(t, s.Commit(t.Context(), state, decision, []delivery.Delivery{item}))
		held, err := s.Claim(t.Context(), item.Ref(), "w", now, now.Add(time.Minute))
		fatal(t, err)
		p.count()
		return s, p, held
	}
	counted := func(t *testing.T, s *dynamo.Store, want int64) {
		t.Helper()
		day := time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC)
		all, err := s.Usage(t.Context(), day, day)
		fatal(t, err)
		var sum delivery.Usage
		for _, u := range all {
			sum = sum.Plus(u)
		}
		if sum.Attempted != want || sum.Delivered != want {
			t.Errorf("counted %+v, want %d", sum, want)
		}
	}
	t.Run("it ends within the lease, and an answer is lost", func(t *testing.T) {
		s, p, held := start(t)
		p.queue("TransactWriteItems", append(slices.Repeat([]fault{met}, 12), lostAnswer)...)
		leased, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		fatal(t, settle(leased, s, held))
		if got := p.count()["TransactWriteItems"]; got != 14 {
			t.Errorf("%d transactions, want 14", got)
		}
		fatal(t, settle(leased, s, held))
		counted(t, s, 1)
	})
	t.Run("it outlasts the lease", func(t *testing.T) {
		s, p, held := start(t)
		p.queue("TransactWriteItems", slices.Repeat([]fault{met}, 1000)...)
		leased, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := settle(leased, s, held); err == nil {
			t.Error("it settled")
		}
		if got := p.count()["TransactWriteItems"]; got < 3 {
			t.Errorf("%d transactions", got)
		}
		counted(t, s, 0)
		p.forget()
		next, err := s.Claim(t.Context(), held.Ref(), "v", now.Add(2*time.Minute), now.Add(3*time.Minute))
		fatal(t, err)
		fatal(t, settle(t.Context(), s, next))
		if err := settle(t.Context(), s, held); !errors.Is(err, delivery.ErrFenced) {
			t.Errorf("the slow worker's settlement came to %v, want ErrFenced", err)
		}
		counted(t, s, 1)
	})
}

// forget drops the faults that are queued.
func (p *proxy) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.faults)
}
