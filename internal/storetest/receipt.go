package storetest

import (
	"errors"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
)

var receiptChecks = []check{
	{"an item is found by its delivery id", receiptLocates},
	{"a receipt settles an item that may have arrived, once (case D4)", receiptConfirms},
	{"a receipt is kept with a delivered item and counts nothing", receiptMarks},
	{"what follows from a receipt is inserted with it, once", receiptFollows},
	{"a receipt does not undo what happened in between", receiptFenced},
}

func receiptLocates(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "mail/0123abcd", at(10)))
	inserted(t, s, pending("l", 1, "mail/0123abcd", at(10)))
	equal(t, "place", must(s.Locate(ctx, d.ID))(t), d.Ref())
	if _, err := s.Locate(ctx, "d1-00000000000000000000"); !errors.Is(err, delivery.ErrNotFound) {
		t.Errorf("an unknown id: %v", err)
	}
}

func receiptConfirms(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "mail", at(10)))
	d = sent(t, s, claimed(t, s, d, "w1", at(10)), delivery.Ambiguous, at(10, 0, 1))
	after, news := d.Receive(delivery.Receipt{Fate: delivery.Taken, At: at(10, 0, 2)}, "id-1")
	equal(t, "news", news, true)
	ok(t, s.Receive(ctx, d, after, delivery.ReceiptUsage(d, after)))
	equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), after)
	equal(t, "state", after.State, delivery.Delivered)
	equal(t, "due", len(must(s.Due(ctx, at(23), 9))(t)), 0)
	if err := s.Receive(ctx, d, after, delivery.ReceiptUsage(d, after)); !errors.Is(err, delivery.ErrFenced) {
		t.Errorf("a second time: %v", err)
	}
	u := usageOfDay(t, s)
	equal(t, "attempted", u.Attempted, int64(1))
	equal(t, "delivered", u.Delivered, int64(1))
}

func receiptMarks(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "mail", at(10)))
	d = sent(t, s, claimed(t, s, d, "w1", at(10)), delivery.Accepted, at(10, 0, 1))
	for _, fate := range []delivery.Fate{delivery.Arrived, delivery.Bounced} {
		after, news := d.Receive(delivery.Receipt{Fate: fate, Code: "permanent_general", At: at(10, 5)}, "id-1")
		equal(t, "news", news, true)
		ok(t, s.Receive(ctx, d, after, delivery.ReceiptUsage(d, after)))
		equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), after)
		d = after
	}
	u := usageOfDay(t, s)
	equal(t, "attempted", u.Attempted, int64(1))
	equal(t, "delivered", u.Delivered, int64(1))
}

func receiptFollows(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "mail", at(10)))
	d = sent(t, s, claimed(t, s, d, "w1", at(10)), delivery.Accepted, at(10, 0, 1))
	instead := pending("k", 1, "slack", at(10, 5))
	there := inserted(t, s, pending("l", 1, "slack", at(10)))
	there = claimed(t, s, there, "w2", at(10, 1))
	after, _ := d.Receive(delivery.Receipt{Fate: delivery.Bounced, At: at(10, 5)}, "id-1")
	again := there
	again.State, again.Attempts, again.Fence = delivery.Pending, nil, 0
	ok(t, s.Receive(ctx, d, after, delivery.ReceiptUsage(d, after), instead, again))
	equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), after)
	equal(t, "what is new", must(s.Delivery(ctx, instead.Ref()))(t), instead)
	equal(t, "what was there", must(s.Delivery(ctx, there.Ref()))(t), there)
	equal(t, "attempted", usageOfDay(t, s).Attempted, int64(1))
}

func receiptFenced(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "mail", at(10)))
	d = sent(t, s, claimed(t, s, d, "w1", at(10)), delivery.Ambiguous, at(10, 0, 1))
	again := claimed(t, s, d, "w2", at(11))
	after, _ := d.Receive(delivery.Receipt{Fate: delivery.Taken, At: at(11)}, "id-1")
	if err := s.Receive(ctx, d, after, delivery.ReceiptUsage(d, after)); !errors.Is(err, delivery.ErrFenced) {
		t.Errorf("after another claim: %v", err)
	}
	equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), again)
	first := sent(t, s, again, delivery.Accepted, at(11, 0, 1))
	bounced, _ := first.Receive(delivery.Receipt{Fate: delivery.Bounced, At: at(11, 1)}, "id-1")
	arrived, _ := first.Receive(delivery.Receipt{Fate: delivery.Arrived, At: at(11, 1)}, "id-1")
	ok(t, s.Receive(ctx, first, bounced, delivery.ReceiptUsage(first, bounced)))
	if err := s.Receive(ctx, first, arrived, delivery.ReceiptUsage(first, arrived)); !errors.Is(err, delivery.ErrFenced) {
		t.Errorf("after another receipt: %v", err)
	}
}
