package inbox_test

import (
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/local/inbox"
)

const trigger = `{"routing_key":"KEY","event_action":"trigger","dedup_key":"k","payload":{"summary":"s","source":"x","severity":"error",` +
	`"custom_details":{"Delivery":"d1-0123456789abcdef0123"}},"links":[{"href":"https://a.example","text":"a"}]}`

func TestPagerDutyIsAsStrictAsPagerDuty(t *testing.T) {
	box := start(t, inbox.Options{})
	url, good := box.PagerDutyURL()+"/v2/enqueue", strings.Replace(trigger, "KEY", box.RoutingKey("a"), 1)
	for name, change := range map[string][2]string{
		"not JSON":         {`{"routing_key"`, `"routing_key"`},
		"short key":        {`"routing_key":"`, `"routing_key":"x`},
		"action":           {`"trigger"`, `"open"`},
		"no payload":       {`"payload"`, `"client"`},
		"no summary":       {`"summary":"s"`, `"summary":""`},
		"long summary":     {`"summary":"s"`, `"summary":"` + strings.Repeat("é", 1025) + `"`},
		"no source":        {`"source":"x"`, `"source":""`},
		"severity":         {`"error"`, `"high"`},
		"long key":         {`"dedup_key":"k"`, `"dedup_key":"` + strings.Repeat("é", 256) + `"`},
		"resolve of none":  {`"trigger","dedup_key":"k"`, `"resolve","dedup_key":""`},
		"a link elsewhere": {`https://a.example`, `javascript:a`},
		"too large":        {`"Delivery":"`, `"Delivery":"` + strings.Repeat("a", 512<<10)},
	} {
		body := strings.Replace(good, change[0], change[1], 1)
		if body == good {
			t.Fatalf("%s: nothing changed", name)
		}
		if status, answer, _ := call(t, url, body); status != 400 || !strings.Contains(answer, `"status":"invalid event"`) {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
	if n := len(box.Messages()) + len(box.Alerts()); n != 0 {
		t.Errorf("%d of them accepted", n)
	}
	other := strings.Replace(trigger, "KEY", strings.Repeat("0", 32), 1)
	if status, _, _ := call(t, url, other); status != 202 || len(box.Alerts()) != 0 {
		t.Errorf("an unknown key: %d, alerts %+v", status, box.Alerts())
	}
}

// A key is one alert until it is resolved; the same event again changes nothing,
// and a trigger after the resolve opens another.
func TestPagerDutyMergesByKey(t *testing.T) {
	box := start(t, inbox.Options{})
	url, key := box.PagerDutyURL()+"/v2/enqueue", box.RoutingKey("a")
	open := strings.Replace(trigger, "KEY", key, 1)
	resolve := `{"routing_key":"` + key + `","event_action":"resolve","dedup_key":"k"}`
	for i, step := range []struct {
		body                     string
		alerts, events, messages int
		resolved                 bool
	}{
		{resolve, 0, 0, 0, false},
		{open, 1, 1, 1, false},
		{open, 1, 1, 1, false},
		{strings.Replace(open, "d1-0", "d1-1", 1), 1, 2, 2, false},
		{resolve, 1, 2, 3, true},
		{resolve, 1, 2, 3, true},
		{open, 2, 1, 4, false},
	} {
		if status, answer, _ := call(t, url, step.body); status != 202 || !strings.Contains(answer, `"dedup_key":"k"`) {
			t.Fatalf("step %d: %d %s", i, status, answer)
		}
		alerts := box.Alerts()
		if len(alerts) != step.alerts || len(box.Messages()) != step.messages {
			t.Fatalf("step %d: alerts %+v, %d messages", i, alerts, len(box.Messages()))
		}
		if len(alerts) > 0 {
			if last := alerts[len(alerts)-1]; len(last.Events) != step.events || last.Resolved != step.resolved || last.Target != "a" {
				t.Errorf("step %d: %+v", i, last)
			}
		}
	}
}

func TestFaultsOfPagerDuty(t *testing.T) {
	box := start(t, inbox.Options{Burst: 2})
	url, body := box.PagerDutyURL()+"/v2/enqueue", strings.Replace(trigger, "KEY", box.RoutingKey("a"), 1)
	box.Script("a", inbox.ServerError(), inbox.RateLimited(7), inbox.AcceptAndClose())
	for i, want := range []int{500, 429, 0, 202, 202, 429} {
		if status, _, _ := call(t, url, body); status != want {
			t.Errorf("call %d: %d, want %d", i, status, want)
		}
	}
	if n := len(box.Messages()); n != 1 {
		t.Errorf("%d messages", n)
	}
}
