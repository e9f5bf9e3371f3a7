package storetest

import (
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
)

var stoppedChecks = []check{
	{"a held or dead item may be sent again by hand", resendByHand},
	{"a held or dead item may be closed", closeByHand},
	{"what is not stopped is neither resent nor closed by hand", notStopped},
}

var stopping = []delivery.State{delivery.Held, delivery.Dead}

func resendByHand(t *testing.T, s Store) {
	for i, st := range stopping {
		d := pending(keysOf(2)[i], 1, "slack", at(10))
		d.State = st
		inserted(t, s, d)
		ok(t, s.Resend(ctx, d.Ref(), at(11)))
		again := d.Resend(at(11))
		equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), again)
		equal(t, "due", must(s.Due(ctx, at(11), 9))(t), []delivery.Due{again.Due()})
		held := claimed(t, s, d, "w", at(11))
		equal(t, "insisted", held.Insisted, true)
		settled := sent(t, s, held, delivery.Accepted, at(11))
		equal(t, "settled", must(s.Delivery(ctx, d.Ref()))(t), settled)
	}
	// It was counted as held, or dead, when it became so.
	u := usageOfDay(t, s)
	equal(t, "taken back", [4]int64{u.Held, u.Dead, u.Delivered, u.Attempted}, [4]int64{-1, -1, 2, 2})
}

func closeByHand(t *testing.T, s Store) {
	for i, st := range stopping {
		d := pending(keysOf(2)[i], 1, "slack", at(10))
		d.State = st
		inserted(t, s, d)
		ok(t, s.CloseStopped(ctx, d.Ref(), "seen in the channel"))
		found := must(s.Delivery(ctx, d.Ref()))(t)
		equal(t, "state", found.State, delivery.Superseded)
		equal(t, "note", found.Note, "seen in the channel")
		fails(t, s.Resend(ctx, d.Ref(), at(11)), delivery.ErrNotStopped)
	}
	equal(t, "due", len(must(s.Due(ctx, at(23), 9))(t)), 0)
	u := usageOfDay(t, s)
	equal(t, "taken back", [2]int64{u.Held, u.Dead}, [2]int64{-1, -1})
}

func notStopped(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	refuses := func(want delivery.Delivery) {
		t.Helper()
		fails(t, s.Resend(ctx, d.Ref(), at(11)), delivery.ErrNotStopped)
		fails(t, s.CloseStopped(ctx, d.Ref(), "no"), delivery.ErrNotStopped)
		equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), want)
	}
	refuses(d)
	held := claimed(t, s, d, "w", at(10))
	refuses(held)
	refuses(sent(t, s, held, delivery.Accepted, at(10)))
	missing := delivery.Ref{IncidentKey: "j", Slot: d.Ref().Slot}
	fails(t, s.Resend(ctx, missing, at(11)), delivery.ErrNotStopped)
	fails(t, s.CloseStopped(ctx, missing, "no"), delivery.ErrNotStopped)
}
