package storetest

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

var commitChecks = []check{
	{"state, decision and outbox are written together", commitAll},
	{"a commit over a moved state writes nothing (case D1)", commitMoved},
	{"commits at once over one version: one wins (cases D1, D6)", commitAtOnce},
	{"a repeated commit writes nothing twice", commitRepeated},
	{"an outbox item that is there already stays", commitExisting},
	{"an outbox item that is given twice is written once", commitTwice},
	{"more than a transaction holds is refused whole", commitTooMany},
	{"decisions come in order", decisionOrder},
}

func opening(key string, out ...string) (incident.State, incident.Decision, []delivery.Delivery) {
	var items []delivery.Delivery
	for _, destination := range out {
		items = append(items, pending(key, 1, destination, at(10)))
	}
	return incident.State{Key: key, Open: true, Episode: 1, DecisionSeq: 1},
		incident.Decision{IncidentKey: key, Seq: 1, Episode: 1, Sequence: 1, Action: incident.Open, Tick: at(10)},
		items
}

func commitAll(t *testing.T, s Store) {
	st, d, out := opening("k", "mail", "slack")
	ok(t, s.Commit(ctx, st, d, out))
	st.Version = 1
	equal(t, "state", state(t, s, "k"), st)
	equal(t, "decisions", must(s.Decisions(ctx, "k"))(t), []incident.Decision{d})
	equal(t, "outbox", must(s.Episode(ctx, "k", 1))(t), out)
	equal(t, "other episodes", len(must(s.Episode(ctx, "k", 2))(t)), 0)

	st, d, _ = opening("j")
	ok(t, s.Commit(ctx, st, d, nil))
	equal(t, "without outbox", state(t, s, "j").Version, int64(1))
}

func commitMoved(t *testing.T, s Store) {
	st, d, out := opening("k", "slack")
	ok(t, s.Save(ctx, incident.State{Key: "k"}))
	fails(t, s.Commit(ctx, st, d, out), incident.ErrConflict)
	equal(t, "decisions", len(must(s.Decisions(ctx, "k"))(t)), 0)
	equal(t, "outbox", len(must(s.Episode(ctx, "k", 1))(t)), 0)
	equal(t, "version", state(t, s, "k").Version, int64(1))

	st.Version = 1
	ok(t, s.Commit(ctx, st, d, out))
	equal(t, "outbox", len(must(s.Episode(ctx, "k", 1))(t)), 1)
}

func commitAtOnce(t *testing.T, s Store) {
	st, d, out := opening("k", "mail", "slack")
	won := sideBySide(t, 6, incident.ErrConflict, func(int) error { return s.Commit(ctx, st, d, out) })
	equal(t, "winners", won, 1)
	equal(t, "version", state(t, s, "k").Version, int64(1))
	equal(t, "decisions", len(must(s.Decisions(ctx, "k"))(t)), 1)
	equal(t, "outbox", must(s.Episode(ctx, "k", 1))(t), out)
}

func commitRepeated(t *testing.T, s Store) {
	st, d, out := opening("k", "slack")
	ok(t, s.Commit(ctx, st, d, out))
	fails(t, s.Commit(ctx, st, d, out), incident.ErrConflict)
	equal(t, "decisions", len(must(s.Decisions(ctx, "k"))(t)), 1)
	equal(t, "outbox", must(s.Episode(ctx, "k", 1))(t), out)
}

func commitExisting(t *testing.T, s Store) {
	st, d, out := opening("k", "slack")
	ok(t, s.Commit(ctx, st, d, out))
	claimed(t, s, out[0], "w1", at(10))

	next, again, more := opening("k", "mail", "slack", "pager")
	next.Version, next.DecisionSeq, again.Seq = 1, 2, 2
	ok(t, s.Commit(ctx, next, again, more))
	equal(t, "version", state(t, s, "k").Version, int64(2))
	equal(t, "decisions", len(must(s.Decisions(ctx, "k"))(t)), 2)
	equal(t, "the one that was there", must(s.Delivery(ctx, out[0].Ref()))(t).State, delivery.Sending)
	equal(t, "outbox", len(must(s.Episode(ctx, "k", 1))(t)), 3)
}

func commitTwice(t *testing.T, s Store) {
	st, d, out := opening("k", "mail", "slack", "mail")
	ok(t, s.Commit(ctx, st, d, out))
	equal(t, "outbox", must(s.Episode(ctx, "k", 1))(t), out[:2])
}

func commitTooMany(t *testing.T, s Store) {
	names := make([]string, 99)
	for i := range names {
		names[i] = "d" + strconv.Itoa(i)
	}
	st, d, out := opening("k", names...)
	err := s.Commit(ctx, st, d, out)
	if err == nil || errors.Is(err, incident.ErrConflict) || errors.Is(err, incident.ErrBusy) || !strings.Contains(err.Error(), "destinations") {
		t.Errorf("error is %v, want one that says what to do", err)
	}
	equal(t, "states", len(must(s.States(ctx, []string{"k"}))(t)), 0)
	ok(t, s.Commit(ctx, st, d, out[:98]))
	equal(t, "outbox", len(must(s.Episode(ctx, "k", 1))(t)), 98)
}

func decisionOrder(t *testing.T, s Store) {
	for i := range 12 {
		st, d, _ := opening("k")
		st.Version, d.Seq = int64(i), int64(i+1)
		ok(t, s.Commit(ctx, st, d, nil))
	}
	for i, d := range must(s.Decisions(ctx, "k"))(t) {
		equal(t, "seq", d.Seq, int64(i+1))
	}
	equal(t, "of another key", len(must(s.Decisions(ctx, "j"))(t)), 0)
}
