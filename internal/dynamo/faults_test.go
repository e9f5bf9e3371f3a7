package dynamo_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestLostAnswers: the engine did what was asked and its answer was lost; the
// SDK asks again. What was done must not look like somebody else's doing.
func TestLostAnswers(t *testing.T) {
	ctx := t.Context()
	t.Run("a claim is still ours", func(t *testing.T) {
		s, p := behindProxy(t, 3)
		state, decision := open("k")
		item := pending("k", "slack")
		fatal(t, s.Commit(ctx, state, decision, []delivery.Delivery{item}))
		p.queue("UpdateItem", lostAnswer)
		held, err := s.Claim(ctx, item.Ref(), "w", now, now.Add(time.Minute))
		fatal(t, err)
		if held.Fence != 1 || len(held.Attempts) != 1 || p.count()["UpdateItem"] != 2 {
			t.Errorf("claimed as %+v, want it claimed once in two requests", held)
		}
		if _, err := s.Claim(ctx, item.Ref(), "w", now, now.Add(time.Minute)); !errors.Is(err, delivery.ErrNotClaimable) {
			t.Errorf("another claim's error is %v, want ErrNotClaimable", err)
		}
	})
	t.Run("a tick is still ours", func(t *testing.T) {
		s, p := behindProxy(t, 3)
		p.queue("PutItem", lostAnswer)
		fatal(t, s.ClaimRun(ctx, observation.Run{Source: "s", Tick: now, Worker: "w", LeaseUntil: now.Add(time.Minute)}, now))
	})
	t.Run("a commit is done once and reported as done", func(t *testing.T) {
		s, p := behindProxy(t, 3)
		state, decision := open("k")
		p.queue("TransactWriteItems", lostAnswer)
		fatal(t, s.Commit(ctx, state, decision, []delivery.Delivery{pending("k", "slack")}))
		if got := p.count()["TransactWriteItems"]; got != 2 {
			t.Errorf("%d requests, want 2", got)
		}
	})
	t.Run("a settlement counts once", func(t *testing.T) {
		s, p := behindProxy(t, 3)
		state, decision := open("k")
		item := pending("k", "slack")
		fatal(t, s.Commit(ctx, state, decision, []delivery.Delivery{item}))
		held, err := s.Claim(ctx, item.Ref(), "w", now, now.Add(time.Minute))
		fatal(t, err)
		p.queue("TransactWriteItems", lostAnswer)
		fatal(t, settle(ctx, s, held))
		usage, err := s.Usage(ctx, now, now)
		fatal(t, err)
		if len(usage) != 1 || usage[0].Delivered != 1 {
			t.Errorf("usage is %+v, want one delivered", usage)
		}
	})
	t.Run("a save is a conflict, which the next read settles", func(t *testing.T) {
		s, p := behindProxy(t, 3)
		p.queue("PutItem", lostAnswer)
		if err := s.Save(ctx, incident.State{Key: "k"}); !errors.Is(err, incident.ErrConflict) {
			t.Errorf("error is %v, want ErrConflict", err)
		}
	})
}

// TestRefusals: what DynamoDB says when it does not do what was asked, and what
// callers may do about it.
func TestRefusals(t *testing.T) {
	ctx := t.Context()
	state, decision := open("k")
	out := []delivery.Delivery{pending("k", "slack")}
	for _, c := range []struct {
		name, operation string
		fault           fault
		want            error
	}{
		{"throttled", "PutItem", refusal("ThrottlingException", ""), incident.ErrBusy},
		{"over the table's rate", "PutItem", refusal("ProvisionedThroughputExceededException", ""), incident.ErrBusy},
		{"over the account's rate", "PutItem", refusal("RequestLimitExceeded", ""), incident.ErrBusy},
		{"a transaction on the row", "PutItem", refusal("TransactionConflictException", ""), incident.ErrBusy},
		{"no such table", "PutItem", refusal("ResourceNotFoundException", ""), nil},
		{"commit: the row moved", "TransactWriteItems", cancelled("ConditionalCheckFailed", "None", "None"), incident.ErrConflict},
		{"commit: the row moved, the rest busy", "TransactWriteItems", cancelled("ConditionalCheckFailed", "None", "TransactionConflict"), incident.ErrConflict},
		{"commit: another transaction", "TransactWriteItems", cancelled("TransactionConflict", "None", "None"), incident.ErrBusy},
		{"commit: another transaction, an item exists", "TransactWriteItems", cancelled("None", "TransactionConflict", "ConditionalCheckFailed"), incident.ErrBusy},
		{"commit: throttled", "TransactWriteItems", cancelled("None", "ThrottlingError", "None"), incident.ErrBusy},
		{"commit: over the rate", "TransactWriteItems", cancelled("None", "None", "ProvisionedThroughputExceeded"), incident.ErrBusy},
		{"commit: in progress", "TransactWriteItems", refusal("TransactionInProgressException", ""), incident.ErrBusy},
		{"commit: invalid", "TransactWriteItems", cancelled("None", "ValidationError", "None"), nil},
		{"commit: no reasons", "TransactWriteItems", cancelled(), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, p := behindProxy(t, 1)
			p.queue(c.operation, c.fault)
			var err error
			if c.operation == "PutItem" {
				err = s.Save(ctx, state)
			} else {
				err = s.Commit(ctx, state, decision, out)
			}
			wants(t, err, c.want)
			if !strings.Contains(err.Error(), "incident k") {
				t.Errorf("error is %v, want one that names the incident", err)
			}
		})
	}
}

// wants checks for one of the domain's errors; nil is any error that is neither.
func wants(t *testing.T, err, want error) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, e := range []error{incident.ErrBusy, incident.ErrConflict, delivery.ErrFenced} {
		if errors.Is(err, e) != (e == want) {
			t.Errorf("error is %v, want %v", err, want)
		}
	}
}

func TestCommitLeavesOutWhatExists(t *testing.T) {
	s, p := behindProxy(t, 1)
	state, decision := open("k")
	var noted []string
	dynamo.NoteExisting(func(r delivery.Ref) { noted = append(noted, r.Slot) })(s)
	p.queue("TransactWriteItems", cancelled("None", "ConditionalCheckFailed", "None", "ConditionalCheckFailed"))
	fatal(t, s.Commit(t.Context(), state, decision, []delivery.Delivery{pending("k", "a"), pending("k", "b")}))
	if got := p.count()["TransactWriteItems"]; got != 2 {
		t.Errorf("%d transactions, want 2", got)
	}
	items, err := s.Episode(t.Context(), "k", 1)
	fatal(t, err)
	if len(items) != 1 || items[0].Destination != "a" {
		t.Errorf("the second transaction wrote %+v, want only what the first did not name as existing", items)
	}
	if want := pending("k", "b").Ref().Slot; len(noted) != 1 || noted[0] != want {
		t.Errorf("noted as existing are %v, want %s alone: the decision is no message", noted, want)
	}
}

// TestSettleMeetsOthers: many settlements share a counter.
func TestSettleMeetsOthers(t *testing.T) {
	ctx := t.Context()
	claim := func(t *testing.T) (func() error, *proxy) {
		s, p := behindProxy(t, 1)
		state, decision := open("k")
		item := pending("k", "slack")
		fatal(t, s.Commit(ctx, state, decision, []delivery.Delivery{item}))
		held, err := s.Claim(ctx, item.Ref(), "w", now, now.Add(time.Minute))
		fatal(t, err)
		p.count()
		return func() error { return settle(ctx, s, held) }, p
	}
	met := cancelled("None", "TransactionConflict")
	t.Run("twice", func(t *testing.T) {
		settle, p := claim(t)
		p.queue("TransactWriteItems", met, met)
		fatal(t, settle())
		if got := p.count()["TransactWriteItems"]; got != 3 {
			t.Errorf("%d transactions, want 3", got)
		}
	})
	t.Run("without end", func(t *testing.T) {
		settle, p := claim(t)
		p.queue("TransactWriteItems", met, met, met, met, met, met, met, met)
		wants(t, settle(), incident.ErrBusy)
		if got := p.count()["TransactWriteItems"]; got != 6 {
			t.Errorf("%d transactions, want 6", got)
		}
	})
	t.Run("until the lease is over", func(t *testing.T) {
		again, p := claim(t)
		p.queue("TransactWriteItems", met, met, met, met, met, met, met, met)
		leased, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		unbounded := ctx
		ctx = leased
		defer func() { ctx = unbounded }()
		fatal(t, again())
		if got := p.count()["TransactWriteItems"]; got != 9 {
			t.Errorf("%d transactions, want 9", got)
		}
	})
	t.Run("another error", func(t *testing.T) {
		settle, p := claim(t)
		p.queue("TransactWriteItems", cancelled("None", "ValidationError"))
		wants(t, settle(), nil)
		if got := p.count()["TransactWriteItems"]; got != 1 {
			t.Errorf("%d transactions, want 1", got)
		}
	})
}

func fatal(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
