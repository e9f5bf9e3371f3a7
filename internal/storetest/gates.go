package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

var gateChecks = []check{
	{"a gate only closes for longer (case C1)", gates},
	{"a turn is taken once, and not before it is due", turns},
	{"turns at once: one is taken", turnsAtOnce},
	{"a refusal is noted once, and tried again by one", refusals},
	{"what a gate holds is independent", gateParts},
}

func gates(t *testing.T, s Store) {
	closed := func(destination string) time.Time { return must(s.Gate(ctx, destination))(t).ClosedUntil }
	equal(t, "never closed", closed("slack").IsZero(), true)
	ok(t, s.CloseGate(ctx, "slack", at(10, 0, 30)))
	ok(t, s.CloseGate(ctx, "slack", at(10, 0, 10)))
	equal(t, "closed", closed("slack"), at(10, 0, 30))
	ok(t, s.CloseGate(ctx, "slack", at(10, 1, 0, 250)))
	equal(t, "closed for longer", closed("slack"), at(10, 1, 0, 250))
	equal(t, "of another", closed("mail").IsZero(), true)
}

func turn(t tb, s Store, now, next time.Time) (delivery.Gate, bool) {
	t.Helper()
	g, taken, err := s.TakeTurn(ctx, "slack", now, next)
	ok(t, err)
	return g, taken
}

func turns(t *testing.T, s Store) {
	g, taken := turn(t, s, at(10), at(10, 0, 1))
	equal(t, "first", taken, true)
	equal(t, "gate", g, delivery.Gate{TurnAt: at(10, 0, 1)})
	g, taken = turn(t, s, at(10, 0, 0, 999), at(10, 0, 5))
	equal(t, "too early", taken, false)
	equal(t, "unchanged", g, delivery.Gate{TurnAt: at(10, 0, 1)})
	_, taken = turn(t, s, at(10, 0, 1), at(10, 0, 2))
	equal(t, "in time", taken, true)
	ok(t, s.CloseGate(ctx, "slack", at(10, 1)))
	g, taken = turn(t, s, at(10, 0, 59), at(11))
	equal(t, "closed", taken, false)
	equal(t, "closed gate", g, delivery.Gate{TurnAt: at(10, 0, 2), ClosedUntil: at(10, 1)})
	_, taken = turn(t, s, at(10, 1), at(10, 1, 1))
	equal(t, "open again", taken, true)
}

func turnsAtOnce(t *testing.T, s Store) {
	for round := range 3 {
		now := at(10, round)
		won := sideBySide(t, 6, errNoTurn, func(int) error {
			_, taken, err := s.TakeTurn(ctx, "slack", now, now.Add(time.Second))
			if err == nil && !taken {
				return errNoTurn
			}
			return err
		})
		equal(t, "turns taken", won, 1)
	}
}

var errNoTurn = fmt.Errorf("the turn is another's")

func refusals(t *testing.T, s Store) {
	refuse := func(code string, seen, now, until time.Time) (delivery.Gate, bool) {
		t.Helper()
		g, done, err := s.Refuse(ctx, "slack", code, seen, now, until)
		ok(t, err)
		return g, done
	}
	want := delivery.Gate{RefusedSince: at(10), RefusedUntil: at(11), RefusedCode: "no_service"}
	g, done := refuse("no_service", time.Time{}, at(10), at(11))
	equal(t, "first", done, true)
	equal(t, "first gate", g, want)
	g, done = refuse("no_service", time.Time{}, at(10, 0, 1), at(12))
	equal(t, "second", done, false)
	equal(t, "second gate", g, want)
	want.RefusedUntil = at(12)
	g, done = refuse("no_service", at(11), at(11), at(12))
	equal(t, "a later try", done, true)
	equal(t, "since", g, want)
	_, done = refuse("", at(11), at(11, 30), time.Time{})
	equal(t, "taken back by who saw an older one", done, false)
	g, done = refuse("", at(12), at(12), time.Time{})
	equal(t, "taken back", done, true)
	equal(t, "nothing is left", g, delivery.Gate{})
	g, _ = refuse("no_team", time.Time{}, at(13), at(14))
	equal(t, "again", g, delivery.Gate{RefusedSince: at(13), RefusedUntil: at(14), RefusedCode: "no_team"})
}

func gateParts(t *testing.T, s Store) {
	turn(t, s, at(10), at(10, 0, 1))
	ok(t, s.CloseGate(ctx, "slack", at(10, 5)))
	_, _, err := s.Refuse(ctx, "slack", "no_service", time.Time{}, at(10), at(11))
	ok(t, err)
	equal(t, "gate", must(s.Gate(ctx, "slack"))(t), delivery.Gate{
		TurnAt: at(10, 0, 1), ClosedUntil: at(10, 5),
		RefusedSince: at(10), RefusedUntil: at(11), RefusedCode: "no_service",
	})
	equal(t, "of another", must(s.Gate(ctx, "mail"))(t), delivery.Gate{})
}
