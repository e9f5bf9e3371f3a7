package storetest

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

var settleChecks = []check{
	{"delivered closes the item and counts", settleDelivered},
	{"a replayed settlement counts once (case D9)", settleReplayed},
	{"a slow worker is fenced off (case D2)", settleFenced},
	{"an unclaimed item cannot be settled", settleUnclaimed},
	{"a temporary failure is due again later (case C1)", settleTemporary},
	{"counters of many settlements at once add up (case O4)", settleAtOnce},
}

var retry = delivery.Retry{
	Backoff:     backoff.Schedule{Base: time.Minute, Cap: time.Hour, Floor: time.Second},
	GiveUpAfter: 24 * time.Hour,
}

// sent settles the claimed item with an outcome and returns it as settled.
func sent(t tb, s Store, d delivery.Delivery, class delivery.Class, now time.Time) delivery.Delivery {
	t.Helper()
	settled := d.Settle(delivery.Outcome{Class: class}, false, now, retry, delivery.Resend, 0.5)
	ok(t, s.Settle(ctx, settled, counted(settled, 1)))
	return settled
}

func counted(d delivery.Delivery, attempted int64) delivery.Usage {
	u := delivery.Usage{
		Day: "2026-03-14", Owner: d.Owner, CostCenter: d.CostCenter, Channel: d.Channel,
		Source: d.Source, DeliveryID: d.ID, Attempted: attempted,
	}
	if d.State == delivery.Delivered {
		u.Delivered = 1
	}
	return u
}

func usageOfDay(t tb, s Store) delivery.Usage {
	t.Helper()
	all := must(s.Usage(ctx, at(0), at(0)))(t)
	if len(all) != 1 {
		t.Fatalf("%d usage lines, want 1: %+v", len(all), all)
	}
	return all[0]
}

func settleDelivered(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	settled := sent(t, s, claimed(t, s, d, "w1", at(10)), delivery.Accepted, at(10, 0, 1))
	equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), settled)
	equal(t, "due", len(must(s.Due(ctx, at(23), 9))(t)), 0)
	equal(t, "usage", usageOfDay(t, s), delivery.Usage{
		Day: "2026-03-14", Owner: "economy", CostCenter: "cc-1", Channel: "slack_webhook", Source: "sentry",
		Attempted: 1, Delivered: 1,
	})
}

func settleReplayed(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	settled := sent(t, s, claimed(t, s, d, "w1", at(10)), delivery.Accepted, at(10, 0, 1))
	for range 3 {
		ok(t, s.Settle(ctx, settled, counted(settled, 1)))
	}
	equal(t, "delivered", usageOfDay(t, s).Delivered, int64(1))
	equal(t, "attempted", usageOfDay(t, s).Attempted, int64(1))
	otherwise := settled
	otherwise.State = delivery.Dead
	fails(t, s.Settle(ctx, otherwise, counted(otherwise, 1)), delivery.ErrFenced)
	equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), settled)
}

func settleFenced(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	slow := claimed(t, s, d, "slow", at(10))
	fast := claimed(t, s, d, "fast", at(10, 1))
	late := slow.Settle(delivery.Outcome{Class: delivery.Accepted}, false, at(10, 1, 1), retry, delivery.Resend, 0)
	fails(t, s.Settle(ctx, late, counted(late, 1)), delivery.ErrFenced)
	equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), fast)
	equal(t, "usage", len(must(s.Usage(ctx, at(0), at(0)))(t)), 0)

	settled := sent(t, s, fast, delivery.Accepted, at(10, 1, 2))
	fails(t, s.Settle(ctx, late, counted(late, 1)), delivery.ErrFenced)
	equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), settled)
	equal(t, "attempted", usageOfDay(t, s).Attempted, int64(1))
}

func settleUnclaimed(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	done := d
	done.State = delivery.Delivered
	fails(t, s.Settle(ctx, done, counted(done, 1)), delivery.ErrFenced)
	missing := pending("j", 1, "slack", at(10))
	missing.State = delivery.Delivered
	fails(t, s.Settle(ctx, missing, counted(missing, 1)), delivery.ErrFenced)
	equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), d)
	equal(t, "usage", len(must(s.Usage(ctx, at(0), at(0)))(t)), 0)
}

func settleTemporary(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	settled := sent(t, s, claimed(t, s, d, "w1", at(10)), delivery.Temporary, at(10, 0, 1))
	equal(t, "state", settled.State, delivery.Pending)
	equal(t, "due then", must(s.Due(ctx, settled.DueAt, 9))(t), []delivery.Due{settled.Due()})
	equal(t, "due before", len(must(s.Due(ctx, settled.DueAt.Add(-time.Millisecond), 9))(t)), 0)
	again := claimed(t, s, d, "w2", settled.DueAt)
	equal(t, "attempts", len(again.Attempts), 2)
	equal(t, "first attempt's class", again.Attempts[0].Class, delivery.Temporary)
}

func settleAtOnce(t *testing.T, s Store) {
	const n = 12
	held := make([]delivery.Delivery, n)
	for i, k := range keysOf(n) {
		held[i] = claimed(t, s, inserted(t, s, pending(k, 1, "slack", at(10))), "w", at(10))
	}
	won := sideBySide(t, n, incident.ErrBusy, func(i int) error {
		done := held[i].Settle(delivery.Outcome{Class: delivery.Accepted}, false, at(10), retry, delivery.Resend, 0)
		return s.Settle(ctx, done, counted(done, 1))
	})
	equal(t, "settled", won, n)
	equal(t, "delivered", usageOfDay(t, s).Delivered, int64(n))
}
