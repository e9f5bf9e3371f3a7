package scenario_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/pagerduty"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// TestPagerDutyTellsUsNothingOfOurOwn: PagerDuty is both a destination and a source.
// No message of ours, whatever its kind and however long its key, is read back as a
// failure.
func TestPagerDutyTellsUsNothingOfOurOwn(t *testing.T) {
	var listed []map[string]any
	list := func(key string) {
		listed = append(listed, map[string]any{
			"id": fmt.Sprint("P", len(listed)), "status": "triggered", "title": "x", "incident_key": key, "service": map[string]any{"id": "S"},
		})
	}
	for _, e := range sendertest.Examples() {
		for _, n := range []func(s string) string{
			func(s string) string { return s },
			func(s string) string { return s + strings.Repeat("/long=x", 60) },
		} {
			own := e.Notice
			own.IncidentKey = n(own.IncidentKey)
			for _, own.Environment = range []string{"production", "Prüfung 2/ost", "k1"} {
				var event struct {
					DedupKey string `json:"dedup_key"`
				}
				if err := json.Unmarshal(pagerduty.Render(own), &event); err != nil {
					t.Fatal(err)
				}
				list(event.DedupKey)
			}
		}
	}
	ours := len(listed)
	list("another's")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"incidents": listed, "more": false})
	}))
	t.Cleanup(server.Close)
	cfg, _, err := config.Parse("test.yaml", fmt.Appendf(nil, `
version: 1
environment: test
owners: {payments: {cost_center: CC-1, destinations: [hook]}}
destinations: {hook: {channel: slack_webhook, webhook_url: "env:SCENARIO_WEBHOOK"}}
sources:
  - id: pagerduty
    preset: pagerduty
    owner: payments
    operator_action: Look at the payment service.
    request: {url: "%s/incidents"}
`, server.URL), preset.FS)
	if err != nil {
		t.Fatal(err)
	}
	l := source.New(source.Options{}).Fetch(t.Context(), cfg.Sources[0])
	if !l.Complete || len(l.Items) != ours+1 {
		t.Fatalf("%d of %d items, problems %v", len(l.Items), ours+1, l.Problems)
	}
	for i, it := range l.Items {
		want := observation.Unknown
		if i == ours {
			want = observation.Failing
		}
		if it.Verdict != want {
			t.Errorf("%v is %s, want %s", listed[i]["incident_key"], it.Verdict, want)
		}
	}
}
