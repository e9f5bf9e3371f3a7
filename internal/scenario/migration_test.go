package scenario_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// sameKey is the key of both vendors' sources: the parts that their items have in
// common.
const sameKey = `[{name: alert, value: .labels.alertname, type: id}, {name: instance, value: .labels.instance, type: id}]`

// configFor returns a configuration with one source at one vendor.
func configFor(t *testing.T, id, presetName, url, policy string) *config.Config {
	t.Helper()
	cfg, _, err := config.Parse("test.yaml", fmt.Appendf(nil, `
version: 1
environment: test
owners: {payments: {cost_center: CC-1, destinations: [%s, %s]}}
destinations:
  %s: {channel: slack_webhook, webhook_url: "env:SCENARIO_WEBHOOK"}
  %s: {channel: ses, from: alerts@example.com, to: [%s]}
sources:
  - id: %s
    preset: %s
    params: {url: "%s"}
    owner: payments
    operator_action: Look at the payment service.
    policy: %s
    map: {key: %s}
`, slackDest, mailDest, slackDest, mailDest, mailTo, id, presetName, url, policy, sameKey), preset.FS)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// switchable serves one of two answers.
func switchable(t *testing.T, failing, fine string) (url string, fails *atomic.Bool) {
	t.Helper()
	fails = &atomic.Bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if fails.Load() {
			_, _ = w.Write([]byte(failing))
			return
		}
		_, _ = w.Write([]byte(fine))
	}))
	t.Cleanup(server.Close)
	return server.URL, fails
}

// TestVendorMigration: a team moves from Prometheus to Alertmanager while an incident
// is open, by changing the source's definition only. Nobody is told anything, the
// cooldown continues, and the new vendor reports the recovery.
func TestVendorMigration(t *testing.T) {
	before, beforeFails := switchable(t,
		`{"status":"success","data":{"alerts":[{"labels":{"alertname":"HostDown","instance":"web-1","job":"node"},"annotations":{"summary":"down"},"state":"firing","activeAt":"2026-03-01T11:59:00Z","value":"1e+00"}]}}`,
		`{"status":"success","data":{"alerts":[]}}`)
	after, afterFails := switchable(t,
		`[{"labels":{"alertname":"HostDown","instance":"web-1"},"annotations":{"summary":"host down"},"fingerprint":"f00d","status":{"state":"active"},"startsAt":"2026-03-01T12:01:00Z"}]`,
		`[]`)
	for _, tc := range []struct {
		name, policy, want string
		moved              int
		// over is the first tick at which nothing fails.
		over int
	}{
		{"an open incident", "{cooldown: 5m, max_reminders: 1}", "open - - - - remind - - resolve -", 3, 7},
		{"a failing streak", "{failing_required: 3, cooldown: never}", "- - open - - - - - resolve -", 2, 7},
		{"an incident that ends during the move", "{cooldown: never}", "open - - - - resolve - - - -", 4, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t, memory.New(), source.New(source.Options{}))
			r.cfg = configFor(t, "prometheus", "prometheus-alerts", before, tc.policy)
			var got []string
			for n := range 10 {
				if n == tc.moved {
					r.cfg = configFor(t, "alertmanager", "alertmanager", after, tc.policy)
				}
				beforeFails.Store(n < tc.moved && n < tc.over) // then it is switched off, and looks healthy
				afterFails.Store(n < tc.over)
				r.tick(n)
				got = append(got, r.toldEqually())
			}
			if strings.Join(got, " ") != tc.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " "), tc.want)
			}
		})
	}
}
