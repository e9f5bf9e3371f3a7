package dynamo_test

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// TestALongTriedItemFitsItsRow: attempts are left out, and the rest keep their
// numbers.
func TestALongTriedItemFitsItsRow(t *testing.T) {
	ctx := t.Context()
	s, _ := behindProxy(t, 1)
	state, decision := open("k")
	item := pending("k", "slack")
	for n := range 70 {
		at := now.Add(time.Duration(n) * time.Minute)
		item.Attempts = append(item.Attempts, delivery.Attempt{Number: n + 1, Worker: "w", Started: at, Ended: at, Class: delivery.Temporary, Status: 503})
	}
	fatal(t, s.Commit(ctx, state, decision, []delivery.Delivery{item}))
	at := now.Add(2 * time.Hour)
	for range 3 {
		held, err := s.Claim(ctx, item.Ref(), "w", at, at.Add(time.Minute))
		fatal(t, err)
		after := held.Settle(delivery.Outcome{Class: delivery.Temporary}, false, at, delivery.Retry{}, delivery.Resend, 0)
		fatal(t, s.Settle(ctx, after, delivery.UsageOf(held, after)))
	}
	got, err := s.Delivery(ctx, item.Ref())
	fatal(t, err)
	if n := len(got.Attempts); n != 50 || got.Tries() != 73 || got.Attempts[4].Number != 5 || got.Attempts[5].Number != 29 || got.Attempts[48].Number != 72 {
		t.Errorf("%d of %d attempts: %+v", n, got.Tries(), got.Attempts)
	}
	usage, err := s.Usage(ctx, at, at)
	fatal(t, err)
	if len(usage) != 1 || usage[0].Attempted != 3 {
		t.Errorf("counted %+v", usage)
	}
}
