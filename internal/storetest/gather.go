package storetest

import (
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
)

var gatherChecks = []check{
	{"a digest takes in what waits, in one step (case S1)", gatherDigest},
	{"an open takes in what followed it (case R6)", gatherIncident},
	{"what was claimed since it was read is not gathered", gatherFenced},
	{"what is gathered at once is gathered once", gatherAtOnce},
	{"what follows from a settlement is written with it, once", settleWith},
	{"what follows from closing an item is written with it, once", supersedeWith},
}

func gathered(t tb, s Store, n int) []delivery.Delivery {
	t.Helper()
	var items []delivery.Delivery
	for _, k := range keysOf(n) {
		items = append(items, inserted(t, s, pending(k, 1, "slack", at(10))))
	}
	return items
}

func digestOf(items []delivery.Delivery) delivery.Delivery {
	d := delivery.NewDigest(items, at(10, 1))
	d.Payload = []byte(`{"text":"many"}`)
	return d
}

func gatherDigest(t *testing.T, s Store) {
	items := gathered(t, s, delivery.MaxGathered)
	digest := digestOf(items)
	ok(t, s.Gather(ctx, digest, items))
	equal(t, "digest", must(s.Delivery(ctx, delivery.DigestRef(digest.ID, "slack", "")))(t), digest)
	for _, it := range items {
		equal(t, "member", must(s.Delivery(ctx, it.Ref()))(t), it.Told(digest.ID))
	}
	equal(t, "due", must(s.Due(ctx, at(23), 200))(t), []delivery.Due{digest.Due()})
	fails(t, s.Gather(ctx, digest, items), delivery.ErrFenced)
	again := sent(t, s, claimed(t, s, digest, "w", at(23)), delivery.Temporary, at(23))
	again.Payload, again.Notice.Summary = []byte("as it is by now"), "as it is by now"
	ok(t, s.Gather(ctx, again, nil))
	equal(t, "digest, written anew", must(s.Delivery(ctx, digest.Ref()))(t), again)
}

func gatherIncident(t *testing.T, s Store) {
	open := inserted(t, s, pending("k", 1, "slack", at(10)))
	resolve := inserted(t, s, pending("k", 2, "slack", at(10, 5)))
	open.Payload, open.Notice.Summary = []byte("both"), "both"
	ok(t, s.Gather(ctx, open, []delivery.Delivery{resolve}))
	equal(t, "open", must(s.Delivery(ctx, open.Ref()))(t), open)
	equal(t, "resolve", must(s.Delivery(ctx, resolve.Ref()))(t), resolve.Told(open.ID))
	open.Payload = []byte("late")
	ok(t, s.Gather(ctx, open, nil))
	equal(t, "open alone", must(s.Delivery(ctx, open.Ref()))(t), open)
}

func gatherFenced(t *testing.T, s Store) {
	items := gathered(t, s, 3)
	held := claimed(t, s, items[1], "w", at(10))
	digest := digestOf(items)
	fails(t, s.Gather(ctx, digest, items), delivery.ErrFenced)
	again := sent(t, s, held, delivery.Temporary, at(10))
	fails(t, s.Gather(ctx, digest, items), delivery.ErrFenced)
	_, err := s.Delivery(ctx, digest.Ref())
	fails(t, err, delivery.ErrNotFound)
	equal(t, "another member", must(s.Delivery(ctx, items[0].Ref()))(t), items[0])
	again.Payload = []byte("changed")
	ok(t, s.Gather(ctx, again, items[:1]))
	equal(t, "as read again", must(s.Delivery(ctx, again.Ref()))(t), again)
}

func gatherAtOnce(t *testing.T, s Store) {
	items := gathered(t, s, 6)
	won := sideBySide(t, 4, delivery.ErrFenced, func(i int) error {
		members := items[i : i+3]
		for {
			err := s.Gather(ctx, digestOf(members), members)
			if !busy(err) {
				return err
			}
		}
	})
	if won < 1 || won > 2 {
		t.Errorf("%d digests of items that overlap", won)
	}
	told := map[string]int{}
	for _, it := range items {
		if in := must(s.Delivery(ctx, it.Ref()))(t).In; in != "" {
			told[in]++
		}
	}
	equal(t, "digests", len(told), won)
	for in, n := range told {
		equal(t, "members of "+in, n, 3)
	}
}

func settleWith(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	held := claimed(t, s, d, "w", at(10))
	dead := held.Settle(delivery.Outcome{Class: delivery.Permanent, Code: "no_service"}, false, at(10), retry, delivery.Resend, 0)
	more := []delivery.Delivery{
		delivery.ToFallback(dead, "mail", "ses", at(10)), delivery.Refusal(dead, at(10), "mail", "ses", at(10)),
	}
	for range 2 {
		ok(t, s.Settle(ctx, dead, counted(dead, 1), more...))
	}
	equal(t, "attempted", usageOfDay(t, s).Attempted, int64(1))
	for _, m := range more {
		equal(t, "what follows", must(s.Delivery(ctx, m.Ref()))(t), m)
		claimed(t, s, m, "w", at(10))
	}
	// A receipt may have settled it first: what follows comes with the worker.
	late := delivery.ToFallback(dead, "pager", "pagerduty", at(10))
	ok(t, s.Settle(ctx, dead, counted(dead, 1), more[0], late))
	equal(t, "what follows late", must(s.Delivery(ctx, late.Ref()))(t), late)
	equal(t, "attempted once", usageOfDay(t, s).Attempted, int64(1))
	// Another item brings the same refusal, which stays as it is by now.
	other := claimed(t, s, inserted(t, s, pending("j", 1, "slack", at(10))), "w", at(10))
	dead = other.Settle(delivery.Outcome{Class: delivery.Permanent}, false, at(10), retry, delivery.Resend, 0)
	ok(t, s.Settle(ctx, dead, counted(dead, 1), delivery.ToFallback(dead, "mail", "ses", at(10)), more[1]))
	equal(t, "told once", must(s.Delivery(ctx, more[1].Ref()))(t).Fence, int64(1))
	equal(t, "settled", must(s.Delivery(ctx, dead.Ref()))(t), dead)
}

func supersedeWith(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	follows := delivery.ToFallback(d, "mail", "ses", at(10))
	for range 2 {
		ok(t, s.Supersede(ctx, d.Ref(), "told elsewhere", follows))
	}
	equal(t, "state", must(s.Delivery(ctx, d.Ref()))(t).State, delivery.Superseded)
	equal(t, "what follows", must(s.Delivery(ctx, follows.Ref()))(t), follows)
	held := claimed(t, s, inserted(t, s, pending("j", 1, "slack", at(10))), "w", at(10))
	ok(t, s.Supersede(ctx, held.Ref(), "too late", delivery.ToFallback(held, "mail", "ses", at(10))))
	_, err := s.Delivery(ctx, delivery.ToFallback(held, "mail", "ses", at(10)).Ref())
	fails(t, err, delivery.ErrNotFound)
}
