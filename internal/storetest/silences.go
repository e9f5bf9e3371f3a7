package storetest

import (
	"errors"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/silence"
)

var silenceChecks = []check{
	{"every field of a silence is kept", roundTripSilence},
	{"a silence is stored once", silencePutTwice},
	{"a silence ends once", silenceEnds},
	{"what a silence keeps back is kept, and never due", silencedItem},
}

func roundTripSilence(t *testing.T, s Store) {
	equal(t, "none", len(must(s.Silences(ctx))(t)), 0)
	one := filled[silence.Silence](t)
	one.Planned = false // those are in the configuration
	ok(t, s.PutSilence(ctx, one))
	bare := silence.Silence{ID: "bare", Match: silence.Match{Owner: "o"}}
	ok(t, s.PutSilence(ctx, bare))
	all := must(s.Silences(ctx))(t)
	equal(t, "silences", len(all), 2)
	got, _ := all.ByID(one.ID)
	equal(t, "silence", got, one)
	got, _ = all.ByID(bare.ID)
	equal(t, "bare silence", got, bare)
}

func silencePutTwice(t *testing.T, s Store) {
	ok(t, s.PutSilence(ctx, silence.Silence{ID: "s", Reason: "first"}))
	err := s.PutSilence(ctx, silence.Silence{ID: "s", Reason: "second"})
	equal(t, "exists", errors.Is(err, silence.ErrExists), true)
	equal(t, "stays", must(s.Silences(ctx))(t), silence.Set{{ID: "s", Reason: "first"}})
}

func silenceEnds(t *testing.T, s Store) {
	err := s.EndSilence(ctx, "s", "alice", at(10))
	equal(t, "missing", errors.Is(err, silence.ErrNotFound), true)
	equal(t, "nothing is made of it", len(must(s.Silences(ctx))(t)), 0)
	ok(t, s.PutSilence(ctx, silence.Silence{ID: "s", Until: at(20)}))
	ok(t, s.EndSilence(ctx, "s", "alice", at(10, 0, 0, 5)))
	ok(t, s.EndSilence(ctx, "s", "bob", at(11)))
	equal(t, "ended", must(s.Silences(ctx))(t), silence.Set{{ID: "s", Until: at(20), EndedAt: at(10, 0, 0, 5), EndedBy: "alice"}})
}

func silencedItem(t *testing.T, s Store) {
	d := pending("k", 1, "slack", at(10)).Silence("s-1")
	inserted(t, s, d)
	equal(t, "item", must(s.Delivery(ctx, d.Ref()))(t), d)
	equal(t, "due", len(must(s.Due(ctx, at(23), 9))(t)), 0)
	_, err := s.Claim(ctx, d.Ref(), "w", at(11), at(12))
	equal(t, "claimable", errors.Is(err, delivery.ErrNotClaimable), true)
}
