package receipts_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/receipts"
)

// episodes are those of a ledger, by incident key.
type episodes map[string][]delivery.Delivery

func (e episodes) Episode(_ context.Context, key string, _ int) ([]delivery.Delivery, error) {
	if all, ok := e[key]; ok || len(e) == 0 {
		return all, nil
	}
	return nil, errors.New("the table is throttled")
}

// The fallback of a mail destination gets the messages that bounced from one of its
// recipients. Messages that bounced from a fallback go nowhere.
func TestTheFallbackIsToldWhatCameBack(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	cfg := &config.Config{Destinations: map[string]config.Destination{
		"mail/0123abcd": {ID: "mail/0123abcd", Group: "mail", Channel: config.ChannelSES, Fallback: "slack"},
		"slack":         {ID: "slack", Channel: config.ChannelSlackWebhook, Fallback: "mail/0123abcd"},
		"alone":         {ID: "alone", Channel: config.ChannelSES},
	}}
	var written notice.Notice
	render := func(channel string, n notice.Notice) ([]byte, error) {
		written = n
		return []byte(channel), nil
	}
	fallbacks := &receipts.Fallbacks{
		Config: cfg, Ledger: episodes{}, Render: render, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return now },
	}
	instead := func(d delivery.Delivery) []delivery.Delivery {
		t.Helper()
		more, err := fallbacks.Items(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return more
	}
	returned := delivery.Delivery{
		ID: "d1-1", IncidentKey: "k", Episode: 1, Sequence: 1, Action: incident.Open, Destination: "mail/0123abcd", Channel: "ses",
		State: delivery.Delivered, Fence: 2, Attempts: []delivery.Attempt{{Number: 1}},
		Receipt: delivery.Receipt{Fate: delivery.Bounced, Code: "permanent_general", At: now},
	}
	got := instead(returned)
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	d := got[0]
	if d.Destination != "slack" || d.For != "mail/0123abcd" || d.State != delivery.Pending || d.ID == returned.ID || d.DueAt.After(now) ||
		string(d.Payload) != "slack_webhook" || d.Receipt != (delivery.Receipt{}) || len(d.Attempts) != 0 {
		t.Errorf("%+v", d)
	}
	if written.DeliveryID != d.ID || written.For != "mail/0123abcd" || written.ForWhy != "bounced: permanent_general" {
		t.Errorf("%+v", written)
	}
	if more := instead(d); more != nil {
		t.Errorf("what came back from the fallback goes on to %+v", more)
	}
	returned.Source = config.SmokeID("mail/0123abcd")
	if more := instead(returned); more != nil {
		t.Errorf("a smoke test that came back goes on to %+v", more)
	}
	returned.Source = ""
	for _, destination := range []string{"alone", "removed since"} {
		returned.Destination = destination
		if more := instead(returned); more != nil {
			t.Errorf("%s: %+v", destination, more)
		}
	}
}

// A digest whose items do not fit into one transaction goes to the fallback whole; one
// whose items cannot be read is retried.
func TestALargeDigestThatComesBackGoesWhole(t *testing.T) {
	cfg := &config.Config{Destinations: map[string]config.Destination{
		"mail": {ID: "mail", Channel: config.ChannelSES, Fallback: "pager"}, "pager": {ID: "pager", Channel: config.ChannelPagerDuty},
	}}
	digest := delivery.Delivery{ID: "d1-9", IncidentKey: "digest/d1-9", Episode: 1, Sequence: 1, Action: delivery.Digest, Destination: "mail", Receipt: delivery.Receipt{Fate: delivery.Bounced}}
	ledger := episodes{}
	for _, key := range []string{"a", "b"} {
		digest.Notice.Entries = append(digest.Notice.Entries, notice.Entry{IncidentKey: key, Episode: 1})
		ledger[key] = []delivery.Delivery{{ID: "d1-" + key, IncidentKey: key, Episode: 1, Sequence: 1, Action: incident.Open, Destination: "mail", In: "d1-9"}}
	}
	size := 1000
	f := &receipts.Fallbacks{
		Config: cfg, Ledger: ledger, Now: time.Now,
		Render: func(string, notice.Notice) ([]byte, error) { return make([]byte, size), nil },
	}
	if more, err := f.Items(t.Context(), digest); err != nil || len(more) != 2 || more[0].Action != incident.Open {
		t.Errorf("small: %d, %v", len(more), err)
	}
	size = 600_000
	if more, err := f.Items(t.Context(), digest); err != nil || len(more) != 1 || more[0].Action != delivery.Digest {
		t.Errorf("large: %d, %v", len(more), err)
	}
	delete(ledger, "b")
	if more, err := f.Items(t.Context(), digest); err == nil {
		t.Errorf("unreadable: %d", len(more))
	}
}
