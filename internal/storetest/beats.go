package storetest

import (
	"testing"

	"github.com/ringonce/ringonce/internal/observation"
)

var beatChecks = []check{
	{"a beat only moves forward, part by part", beats},
	{"a due item tells its age", dueAge},
}

func beats(t *testing.T, s Store) {
	equal(t, "at first", len(must(s.Beats(ctx))(t)), 0)
	want := map[string]observation.Beat{
		"decide":    {Part: "decide", Tick: at(10, 2), At: at(10, 2, 7)},
		"sweep":     {Part: "sweep", Tick: at(10, 1), At: at(10, 1, 1)},
		"heartbeat": {Part: "heartbeat", Tick: at(10, 3), At: at(10, 3, 1), Since: at(10, 1), Config: "c1-b"},
	}
	for _, b := range []observation.Beat{
		{Part: "decide", Tick: at(10, 1), At: at(10, 9)},
		{Part: "decide", Tick: at(10, 2), At: at(10, 2, 3)},
		want["decide"],
		{Part: "decide", Tick: at(10, 2), At: at(10, 2, 5)},
		{Part: "decide", Tick: at(10), At: at(11)},
		want["sweep"],
		{Part: "heartbeat", Tick: at(10, 2), At: at(10, 2, 1), Since: at(9), Config: "c1-a"},
		want["heartbeat"],
	} {
		ok(t, s.PutBeat(ctx, b))
	}
	equal(t, "afterwards", must(s.Beats(ctx))(t), want)
}

func dueAge(t *testing.T, s Store) {
	d := pending("k", 1, "slack", at(10))
	d.CreatedAt = at(9, 58, 3, 250)
	inserted(t, s, d)
	due := must(s.Due(ctx, at(10), 10))(t)
	equal(t, "items", len(due), 1)
	equal(t, "created", due[0].CreatedAt, d.CreatedAt)
}
