package storetest

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

var operationChecks = []check{
	{"usage is summed by what it is of, and sorted (case O4)", usageSums},
	{"a policy is kept once", policies},
	{"keeping what is stored changes nothing of it", keeping},
}

// spend settles one delivery with the given counters.
func spend(t tb, s Store, key string, u delivery.Usage) {
	t.Helper()
	d := claimed(t, s, inserted(t, s, pending(key, 1, "slack", at(10))), "w", at(10))
	d.State = delivery.Delivered
	u.DeliveryID = d.ID
	ok(t, s.Settle(ctx, d, u))
}

func usageSums(t *testing.T, s Store) {
	day := func(day, owner, cost string) delivery.Usage {
		return delivery.Usage{Day: day, Owner: owner, CostCenter: cost, Channel: "ses", Source: "sentry"}
	}
	with := func(u delivery.Usage, n int64) delivery.Usage {
		u.Attempted, u.Delivered, u.Repeated, u.Held, u.Dead, u.Digested = n, 2*n, 3*n, 4*n, 5*n, 6*n
		return u
	}
	subjects := []delivery.Usage{
		day("2026-02-28", "a", "c"), day("2026-03-01", "a", "c"), day("2026-03-31", "a", "b#c"),
		day("2026-03-31", "a#b", "c"), day("2026-04-01", "a", "c"),
	}
	for i, key := range keysOf(20) {
		spend(t, s, key, with(subjects[i%len(subjects)], 1))
	}
	var want []delivery.Usage
	for _, u := range subjects {
		want = append(want, with(u, 4))
	}
	date := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 23, 59, 0, 0, time.UTC) }
	equal(t, "all", must(s.Usage(ctx, date(1, 1), date(12, 31)))(t), want)
	equal(t, "March", must(s.Usage(ctx, date(3, 1), date(3, 31)))(t), want[1:4])
	equal(t, "to the first of April", must(s.Usage(ctx, date(3, 31), date(4, 1)))(t), want[2:])
	equal(t, "none", len(must(s.Usage(ctx, date(5, 1), date(5, 2)))(t)), 0)
	equal(t, "back to front", len(must(s.Usage(ctx, date(3, 31), date(3, 1)))(t)), 0)
}

func policies(t *testing.T, s Store) {
	ok(t, s.PutPolicy(ctx, "p1-a", []byte(`{"cooldown":1}`)))
	ok(t, s.PutPolicy(ctx, "p1-a", []byte(`{"cooldown":2}`)))
	equal(t, "content", string(must(s.Policy(ctx, "p1-a"))(t)), `{"cooldown":1}`)
	equal(t, "none", len(must(s.Policy(ctx, "p1-b"))(t)), 0)
}

func keeping(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	before := must(s.Decisions(ctx, "k"))(t)
	ok(t, s.Keep(ctx, "k", 1))
	equal(t, "decisions", must(s.Decisions(ctx, "k"))(t), before)
	equal(t, "deliveries", must(s.Episode(ctx, "k", 1))(t), []delivery.Delivery{d})
	ok(t, s.Keep(ctx, "nothing", 1))
	equal(t, "made", len(must(s.Episode(ctx, "nothing", 1))(t)), 0)
	equal(t, "states made", len(must(s.States(ctx, []string{"nothing"}))(t)), 0)
}
