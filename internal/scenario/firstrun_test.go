package scenario_test

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// TestFirstPollOfSentryOpensWhatHappensNow: the first poll of Sentry opens the issues
// with recent events, not every unresolved issue of the last 90 days.
func TestFirstPollOfSentryOpensWhatHappensNow(t *testing.T) {
	cfg, _, err := config.Parse("test.yaml", []byte(`
version: 1
environment: test
owners: {payments: {cost_center: CC-1, destinations: [slack-payments]}}
destinations: {slack-payments: {channel: slack_webhook, webhook_url: "env:SCENARIO_WEBHOOK"}}
sources:
  - {id: vendor, preset: sentry, params: {org: o}, owner: payments, operator_action: Open the issue in Sentry., request: {bearer: "env:TOKEN"}}
`), preset.FS)
	if err != nil {
		t.Fatal(err)
	}
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.cfg.Sources[0].FailingWithin = cfg.Sources[0].FailingWithin
	old, now := item("old", observation.Failing), item("now", observation.Failing)
	old.Evidence.LastSeen, now.Evidence.LastSeen = noon.Add(-80*24*time.Hour), noon.Add(-time.Hour)
	v.set("vendor", whole(old, now))
	r.tick(0)
	if got := r.toldEqually(); got != "open" {
		t.Errorf("told %s, want one open", got)
	}
}
