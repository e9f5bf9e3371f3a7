package storetest

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// The limits are those of "Quotas in Amazon DynamoDB", Developer Guide: 400 KB a row,
// 100 rows and 4 MB a transaction, and no row twice in one. Stores count bytes a
// little differently; each check leaves a margin for that. The local engine accepts
// two things that AWS refuses, which only package memory is tested on: a sort key of
// an index above 1,024 bytes, and a transaction whose rows exceed 4 MB only with
// their previous content.
var limitChecks = []check{
	{"a state of more than a row is refused", stateTooLarge},
	{"a row without a key is refused", noKey},
	{"a message of more than a row is refused with its decision", messageTooLarge},
	{"more bytes than a transaction holds are refused whole", decisionTooLarge},
	{"what follows a settlement is bounded by a transaction", settleTooMany},
	{"what follows a closed item is bounded by a transaction", supersedeTooMany},
	{"what follows a receipt is bounded by a transaction", receiveTooMany},
	{"a digest takes in no item twice, and no more than a transaction holds", gatherTooMany},
}

// isRefused requires a permanent error, which no retry helps.
func isRefused(t tb, what string, err error) {
	t.Helper()
	for _, other := range []error{incident.ErrConflict, incident.ErrBusy, delivery.ErrFenced} {
		if err == nil || errors.Is(err, other) {
			t.Errorf("%s: error is %v, want a refusal for good", what, err)
			return
		}
	}
}

const kb = 1000

func stateTooLarge(t *testing.T, s Store) {
	big := incident.State{Key: "k", Summary: strings.Repeat("x", 420*kb)}
	isRefused(t, "save", s.Save(ctx, big))
	equal(t, "states", len(must(s.States(ctx, []string{"k"}))(t)), 0)
	big.Summary = big.Summary[:390*kb]
	ok(t, s.Save(ctx, big))
}

func noKey(t *testing.T, s Store) {
	isRefused(t, "save", s.Save(ctx, incident.State{Open: true}))
	_, err := s.PutObservation(ctx, observed("", "a", at(10)), at(23))
	fails(t, err, observation.ErrUnwritable)
}

// fat is an outbox item of about size bytes.
func fat(key, destination string, size int) delivery.Delivery {
	d := pending(key, 1, destination, at(10))
	d.Payload = bytes.Repeat([]byte("x"), size)
	return d
}

func numbered(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = "d" + strconv.Itoa(i)
	}
	return all
}

func messageTooLarge(t *testing.T, s Store) {
	st, d, _ := opening("k")
	isRefused(t, "commit", s.Commit(ctx, st, d, []delivery.Delivery{fat("k", "slack", 420*kb)}))
	equal(t, "states", len(must(s.States(ctx, []string{"k"}))(t)), 0)
	ok(t, s.Commit(ctx, st, d, []delivery.Delivery{fat("k", "slack", 390*kb)}))
}

func decisionTooLarge(t *testing.T, s Store) {
	st, d, _ := opening("k")
	var out []delivery.Delivery
	for _, to := range numbered(17) {
		out = append(out, fat("k", to, 255*kb))
	}
	isRefused(t, "commit", s.Commit(ctx, st, d, out))
	equal(t, "states", len(must(s.States(ctx, []string{"k"}))(t)), 0)
	equal(t, "outbox", len(must(s.Episode(ctx, "k", 1))(t)), 0)
	ok(t, s.Commit(ctx, st, d, out[:16]))
}

// followers are the items for n fallback destinations of an item.
func followers(d delivery.Delivery, n int) []delivery.Delivery {
	var more []delivery.Delivery
	for _, to := range numbered(n) {
		more = append(more, delivery.ToFallback(d, to, "ses", at(10)))
	}
	return more
}

func settleTooMany(t *testing.T, s Store) {
	held := claimed(t, s, inserted(t, s, pending("k", 1, "slack", at(10))), "w", at(10))
	dead := held.Settle(delivery.Outcome{Class: delivery.Permanent}, false, at(10), retry, delivery.Resend, 0)
	more := followers(dead, 99)
	isRefused(t, "too many", s.Settle(ctx, dead, counted(dead, 1), more...))
	isRefused(t, "twice", s.Settle(ctx, dead, counted(dead, 1), more[0], more[0]))
	equal(t, "state", must(s.Delivery(ctx, dead.Ref()))(t).State, delivery.Sending)
	ok(t, s.Settle(ctx, dead, counted(dead, 1), more[:98]...))
	equal(t, "items", len(must(s.Episode(ctx, "k", 1))(t)), 99)
}

func supersedeTooMany(t *testing.T, s Store) {
	d := inserted(t, s, pending("k", 1, "slack", at(10)))
	more := followers(d, 100)
	isRefused(t, "too many", s.Supersede(ctx, d.Ref(), "moved", more...))
	isRefused(t, "twice", s.Supersede(ctx, d.Ref(), "moved", more[0], more[0]))
	equal(t, "state", must(s.Delivery(ctx, d.Ref()))(t).State, delivery.Pending)
	ok(t, s.Supersede(ctx, d.Ref(), "moved", more[:99]...))
	equal(t, "items", len(must(s.Episode(ctx, "k", 1))(t)), 100)
}

func receiveTooMany(t *testing.T, s Store) {
	before := sent(t, s, claimed(t, s, inserted(t, s, pending("k", 1, "mail", at(10))), "w", at(10)), delivery.Accepted, at(10))
	after := before
	after.Receipt = delivery.Receipt{Fate: delivery.Bounced, At: at(11)}
	more := followers(before, 99)
	isRefused(t, "too many", s.Receive(ctx, before, after, counted(after, 0), more...))
	isRefused(t, "twice", s.Receive(ctx, before, after, counted(after, 0), more[0], more[0]))
	equal(t, "receipt", must(s.Delivery(ctx, before.Ref()))(t).Receipt, delivery.Receipt{})
	ok(t, s.Receive(ctx, before, after, counted(after, 0), more[:98]...))
}

func gatherTooMany(t *testing.T, s Store) {
	items := gathered(t, s, 100)
	isRefused(t, "too many", s.Gather(ctx, digestOf(items), items))
	twice := []delivery.Delivery{items[0], items[1], items[0]}
	isRefused(t, "twice", s.Gather(ctx, digestOf(twice), twice))
	for _, it := range items {
		equal(t, "state", must(s.Delivery(ctx, it.Ref()))(t).State, delivery.Pending)
	}
	ok(t, s.Gather(ctx, digestOf(items[:99]), items[:99]))
}
