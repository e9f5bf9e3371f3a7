package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/receipts"
)

// id is the delivery that the recorded events are about.
const id = "d1-0f59bfd88fc9759ef654"

// desk is a handler over a ledger with one mail, whose send may have arrived.
type desk struct {
	t     *testing.T
	store *memory.Store
	ref   delivery.Ref
	log   bytes.Buffer
	h     handler
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	now := time.Date(2026, 1, 2, 12, 3, 5, 0, time.UTC)
	d := delivery.Delivery{
		ID: id, IncidentKey: "k1/a", Episode: 1, Sequence: 1, Action: incident.Open, Destination: "mail/0123abcd", Channel: "ses",
		State: delivery.Pending, DueAt: now, CreatedAt: now,
	}
	k := &desk{t: t, store: memory.New(), ref: d.Ref()}
	k.h = handler{&receipts.Receiver{Ledger: k.store, Log: slog.New(slog.NewJSONHandler(&k.log, nil)), Now: func() time.Time { return now }}}
	if err := k.store.Commit(t.Context(), incident.State{Key: d.IncidentKey, DecisionSeq: 1}, incident.Decision{IncidentKey: d.IncidentKey, Seq: 1}, []delivery.Delivery{d}); err != nil {
		t.Fatal(err)
	}
	d, err := k.store.Claim(t.Context(), k.ref, "w", now, now.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	d = d.Settle(delivery.Outcome{Class: delivery.Ambiguous, Code: "timeout"}, false, now, delivery.Retry{}, delivery.Resend, 0)
	if err := k.store.Settle(t.Context(), d, delivery.UsageOf(d, d)); err != nil {
		t.Fatal(err)
	}
	return k
}

func (k *desk) hand(name string) error {
	k.t.Helper()
	payload, err := os.ReadFile("../../events/receipts/" + name + ".json")
	if err != nil {
		k.t.Fatal(err)
	}
	_, err = lambda.NewHandler(k.h.handle).Invoke(k.t.Context(), payload)
	return err
}

func (k *desk) item() delivery.Delivery {
	k.t.Helper()
	d, err := k.store.Delivery(k.t.Context(), k.ref)
	if err != nil {
		k.t.Fatal(err)
	}
	return d
}

// Every event of SES about a mail settles it, and what came back is marked.
func TestRecordedEvents(t *testing.T) {
	for name, want := range map[string]delivery.Receipt{
		"send":      {Fate: delivery.Taken},
		"delivery":  {Fate: delivery.Arrived},
		"bounce":    {Fate: delivery.Bounced, Code: "permanent_general"},
		"complaint": {Fate: delivery.Complained, Code: "abuse"},
		"reject":    {Fate: delivery.Rejected, Code: "reject_bad_content"},
		"rendering": {Fate: delivery.Rejected, Code: "rendering_failure"},
	} {
		k := newDesk(t)
		for range 2 {
			if err := k.hand(name); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		want.At = time.Date(2026, 1, 2, 12, 3, 7, 0, time.UTC)
		d := k.item()
		if d.State != delivery.Delivered || d.Receipt != want || !strings.HasPrefix(d.Attempts[0].ProviderID, "0107") {
			t.Errorf("%s: %+v", name, d)
		}
		if n := strings.Count(k.log.String(), `"msg":"receipt"`); n != 1 {
			t.Errorf("%s, twice: logged %d times", name, n)
		}
		if bad := strings.Contains(k.log.String(), `"level":"ERROR"`); bad != want.Fate.Bad() || strings.Contains(k.log.String(), "@") {
			t.Errorf("%s: logged %s", name, k.log.String())
		}
		usage, err := k.store.Usage(t.Context(), want.At, want.At)
		if err != nil || len(usage) != 1 || usage[0].Delivered != 1 {
			t.Errorf("%s: counted %+v, %v", name, usage, err)
		}
	}
}

func TestEventsThatSayNothing(t *testing.T) {
	for _, name := range []string{"delayed", "not-ours"} {
		k := newDesk(t)
		before := k.item()
		if err := k.hand(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if after := k.item(); after.State != before.State || after.Receipt != before.Receipt {
			t.Errorf("%s: %+v", name, after)
		}
	}
}

// What cannot be folded in is handed in again: an item that is not there yet,
// and something that is no event.
func TestEventsThatFail(t *testing.T) {
	k := newDesk(t)
	h := handler{&receipts.Receiver{Ledger: memory.New(), Log: slog.New(slog.NewJSONHandler(&k.log, nil)), Now: time.Now}}
	payload, err := os.ReadFile("../../events/receipts/send.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := h.handle(t.Context(), payload); !errors.Is(err, delivery.ErrNotFound) {
		t.Errorf("a mail that the ledger does not have: %v", err)
	}
	for _, bad := range []string{`{}`, `[]`, `{"source":"aws.s3","time":"2026-01-02T12:03:07Z","detail":{}}`, `{"source":"aws.ses","time":"x"}`} {
		if err := k.h.handle(t.Context(), []byte(bad)); err == nil {
			t.Errorf("%s is taken for an event", bad)
		}
	}
}
