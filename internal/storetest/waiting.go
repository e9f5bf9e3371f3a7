package storetest

import (
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
)

var waitingChecks = []check{
	{"postponing only moves forward", postpone},
	{"superseding closes a waiting item", supersede},
	{"what does not wait is neither postponed nor superseded", notWaiting},
}

func postpone(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	ok(t, s.Postpone(ctx, d.Ref(), at(10, 5)))
	ok(t, s.Postpone(ctx, d.Ref(), at(10, 2)))
	d.DueAt = at(10, 5)
	equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), d)
	equal(t, "due", must(s.Due(ctx, at(10, 5), 9))(t), []delivery.Due{d.Due()})
	equal(t, "due before", len(must(s.Due(ctx, at(10, 4), 9))(t)), 0)
	_, err := s.Claim(ctx, d.Ref(), "w1", at(10, 4), at(11))
	fails(t, err, delivery.ErrNotClaimable)
}

func supersede(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	ok(t, s.Supersede(ctx, d.Ref(), "resolved since"))
	ok(t, s.Supersede(ctx, d.Ref(), "another reason"))
	found := must(s.Delivery(ctx, d.Ref()))(t)
	equal(t, "state", found.State, delivery.Superseded)
	equal(t, "note", found.Note, "resolved since")
	equal(t, "due time", found.DueAt.IsZero(), true)
	equal(t, "due", len(must(s.Due(ctx, at(23), 9))(t)), 0)
}

func notWaiting(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	held := claimed(t, s, d, "w1", at(10))
	unchanged := func(want delivery.Delivery) {
		t.Helper()
		ok(t, s.Postpone(ctx, d.Ref(), at(22)))
		ok(t, s.Supersede(ctx, d.Ref(), "no"))
		equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), want)
	}
	unchanged(held)
	unchanged(sent(t, s, held, delivery.Accepted, at(10)))

	missing := delivery.Ref{IncidentKey: "j", Slot: delivery.Slot(1, 1, "slack")}
	ok(t, s.Postpone(ctx, missing, at(22)))
	ok(t, s.Supersede(ctx, missing, "no"))
	_, err := s.Delivery(ctx, missing)
	fails(t, err, delivery.ErrNotFound)
}
