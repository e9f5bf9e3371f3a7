package pagerduty_test

import (
	"slices"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/pagerduty"
	"github.com/ringonce/ringonce/internal/sendertest"
)

// case D4: PagerDuty takes the trigger and the connection is cut; after the
// retry there is one alert that one event opened.
func TestAcceptedThenCutIsOneAlert(t *testing.T) {
	box, to := start(t)
	s := pagerduty.NewSender(nil, now)
	box.Script("payments", inbox.AcceptAndClose())
	n := sendertest.Examples()[0].Notice
	if o := s.Send(t.Context(), pagerduty.Render(n), to); o.Class != delivery.Ambiguous {
		t.Fatalf("first: %+v", o)
	}
	n.MayBeRepeat = true
	if o := s.Send(t.Context(), pagerduty.Render(n), to); o.Class != delivery.Accepted || o.ProviderID == "" {
		t.Fatalf("second: %+v", o)
	}
	alerts := box.Alerts()
	if len(alerts) != 1 || len(alerts[0].Events) != 1 || alerts[0].Events[0] != n.DeliveryID || len(box.Messages()) != 1 {
		t.Errorf("alerts %+v, %d messages", alerts, len(box.Messages()))
	}
}

// Open, reminder and resolve of an episode are one alert, which ends resolved.
func TestAnEpisodeIsOneAlert(t *testing.T) {
	box, to := start(t)
	to.Severity = "critical"
	s := pagerduty.NewSender(nil, now)
	for _, e := range sendertest.Examples() {
		if !slices.Contains([]string{"open", "remind", "resolve"}, e.Name) {
			continue
		}
		if o := s.Send(t.Context(), pagerduty.Render(e.Notice), to); o.Class != delivery.Accepted {
			t.Fatalf("%s: %+v", e.Name, o)
		}
	}
	alerts := box.Alerts()
	if len(alerts) != 1 || !alerts[0].Resolved || len(alerts[0].Events) != 2 || alerts[0].Severity != "critical" {
		t.Errorf("alerts: %+v", alerts)
	}
}

func TestWhatCannotBeSentIsRefusedHere(t *testing.T) {
	good := pagerduty.Render(sendertest.Examples()[0].Notice)
	for _, x := range []struct {
		payload        []byte
		url, key, code string
	}{
		{[]byte(`{"event_action":`), "https://events.pagerduty.com", key, "bad_payload"},
		{[]byte(`{}`), "https://events.pagerduty.com", key, "bad_payload"},
		{good, "http://events.pagerduty.com", key, "bad_address"},
		{good, "https://events.pagerduty.com", " \n", "no_routing_key"},
	} {
		o := pagerduty.NewSender(nil, now).Send(t.Context(), x.payload, pagerduty.To{APIURL: x.url, RoutingKey: x.key})
		want := delivery.Misconfiguration(0, x.code)
		if x.code == "bad_payload" {
			want = delivery.Outcome{Class: delivery.Permanent, Code: x.code}
		}
		if o != want {
			t.Errorf("%+v, want %+v", o, want)
		}
	}
}
