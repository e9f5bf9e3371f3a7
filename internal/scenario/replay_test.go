package scenario_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/story"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/preset"
)

const sentryOnly = `
version: 1
environment: test
owners:
  payments: {cost_center: CC-1, destinations: [slack-payments, mail-payments]}
destinations:
  slack-payments: {channel: slack_webhook, webhook_url: "env:SCENARIO_WEBHOOK"}
  mail-payments: {channel: ses, from: alerts@example.com, to: [oncall@example.com]}
sources:
  - id: sentry
    preset: sentry
    failing_within: never # the recorded events are old
    params: {org: example-org}
    request: {url: "VENDORS/api/0/organizations/${org}/issues/"}
    owner: payments
    operator_action: Open the issue in Sentry.
    interval: 1m
`

// TestTheReplayFixture polls recorded Sentry pages over HTTP: the same answer twice,
// one additional group, a restart of all workers on the same tables, and a 429 with
// Retry-After. A new failure is told once, an identical answer not at all.
func TestTheReplayFixture(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		vendors, err := story.NewVendors("../../testdata/vendors")
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(vendors)
		defer server.Close()
		var slept []time.Duration
		// Every worker is new for every tick: nothing but the tables is kept.
		restart := func() *rig {
			r := newRig(t, s, source.New(source.Options{
				Now: time.Now, Jitter: func() float64 { return 0 },
				Sleep: func(_ context.Context, d time.Duration) error { slept = append(slept, d); return nil },
			}))
			r.cfg, _, err = config.Parse("test.yaml", []byte(strings.ReplaceAll(sentryOnly, "VENDORS", server.URL)), preset.FS)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		tool, both := []string{story.SentryTool}, []string{story.SentryTool, story.SentryTypeError}
		for n, step := range []struct {
			name  string
			world story.World
			want  string
		}{
			{"one new failure", story.World{Sentry: tool}, "open"},
			{"the identical answer", story.World{Sentry: tool}, "-"},
			{"one additional group", story.World{Sentry: both}, "open"},
			{"429 with Retry-After", story.World{Sentry: both, SentryLimited: true}, "-"},
			{"the second page fails", story.World{Sentry: both, SentryPage2Down: true}, "-"},
			{"the second page fails again", story.World{Sentry: both, SentryPage2Down: true}, "-"},
			{"one is gone", story.World{Sentry: tool}, "-"},
			{"one is gone for the second poll", story.World{Sentry: tool}, "resolve"},
		} {
			slept = nil
			r := restart()
			vendors.Set(step.world)
			r.now = noon.Add(time.Duration(n) * time.Minute)
			r.tick(n)
			if got := r.toldEqually(); got != step.want {
				t.Errorf("%s: told %s, want %s", step.name, got, step.want)
			}
			if step.world.SentryLimited && !slices.Equal(slept, []time.Duration{time.Second}) {
				t.Errorf("%s: waited %v, want the one second that was asked for", step.name, slept)
			}
		}
		open := 0
		err = s.Incidents(t.Context(), func(st incident.State) error {
			if st.Open {
				open++
			}
			return nil
		})
		if err != nil || open != 1 {
			t.Errorf("%d incidents are open at the end, want 1 (%v)", open, err)
		}
	})
}
