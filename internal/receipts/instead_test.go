package receipts_test

import (
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

// The fallback of a mail destination is told what came back to one of its
// recipients; what came back from a fallback is told nobody.
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
	instead := receipts.Instead(cfg, render, slog.New(slog.NewTextHandler(io.Discard, nil)), func() time.Time { return now })
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
