package storetest

import (
	"fmt"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
)

var claimChecks = []check{
	{"a claim is what the ledger says it is", claimEqualsLedger},
	{"claims at once: one wins (case D2)", claimOneWins},
	{"an item is not claimable before it is due", claimNotDue},
	{"a lease that ran out may be taken over (case C4)", claimTakenOver},
	{"an unknown item is claimable when due (case D4)", claimUnknown},
	{"a final item is never claimable", claimFinal},
	{"an item that is not there is not claimable", claimMissing},
}

func claimEqualsLedger(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	want := d.Claim("w1", at(10), at(10, 1))
	equal(t, "first claim", must(s.Claim(ctx, d.Ref(), "w1", at(10), at(10, 1)))(t), want)
	equal(t, "as read", must(s.Delivery(ctx, d.Ref()))(t), want)

	want = want.Claim("w2", at(10, 1), at(10, 2, 0, 500))
	equal(t, "second claim", must(s.Claim(ctx, d.Ref(), "w2", at(10, 1), at(10, 2, 0, 500)))(t), want)
	equal(t, "attempt numbers", []int{want.Attempts[0].Number, want.Attempts[1].Number}, []int{1, 2})
}

func claimOneWins(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	won := sideBySide(t, 6, delivery.ErrNotClaimable, func(i int) error {
		_, err := s.Claim(ctx, d.Ref(), fmt.Sprint("w", i), at(10), at(10, 1))
		return err
	})
	equal(t, "winners", won, 1)
	won = sideBySide(t, 6, delivery.ErrNotClaimable, func(int) error {
		_, err := s.Claim(ctx, d.Ref(), "same", at(10, 1), at(10, 2))
		return err
	})
	equal(t, "winners of one name", won, 1)
	equal(t, "fence", must(s.Delivery(ctx, d.Ref()))(t).Fence, int64(2))
}

func claimNotDue(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	_, err := s.Claim(ctx, d.Ref(), "w1", at(9, 59, 59, 999), at(11))
	fails(t, err, delivery.ErrNotClaimable)
	equal(t, "unchanged", must(s.Delivery(ctx, d.Ref()))(t), d)
}

func claimTakenOver(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	claimed(t, s, d, "w1", at(10))
	_, err := s.Claim(ctx, d.Ref(), "w2", at(10, 0, 59, 999), at(11))
	fails(t, err, delivery.ErrNotClaimable)
	taken := claimed(t, s, d, "w2", at(10, 1))
	equal(t, "fence", taken.Fence, int64(2))
	equal(t, "may have arrived", taken.MayHaveArrived(), true)
}

func claimUnknown(t *testing.T, s Store) {
	d := pending("k", 1, "slack", at(10))
	d.State = delivery.Unknown
	inserted(t, s, d)
	equal(t, "state", claimed(t, s, d, "w1", at(10)).State, delivery.Sending)
}

func claimFinal(t *testing.T, s Store) {
	for _, st := range []delivery.State{delivery.Delivered, delivery.Held, delivery.Superseded, delivery.Dead} {
		d := pending("k", 1, string(st), at(10))
		d.State = st
		inserted(t, s, d)
		_, err := s.Claim(ctx, d.Ref(), "w1", at(23), at(23, 1))
		fails(t, err, delivery.ErrNotClaimable)
	}
}

func claimMissing(t *testing.T, s Store) {
	ref := delivery.Ref{IncidentKey: "k", Slot: delivery.Slot(1, 1, "slack")}
	_, err := s.Claim(ctx, ref, "w1", at(10), at(11))
	fails(t, err, delivery.ErrNotClaimable)
	_, err = s.Delivery(ctx, ref)
	fails(t, err, delivery.ErrNotFound)
	equal(t, "nothing was made", len(must(s.Episode(ctx, "k", 1))(t)), 0)
}
