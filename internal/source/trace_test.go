package source_test

import (
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/source"
)

// A recorded page holds no secret, and maps as the page did.
func TestFixturesHoldNoSecrets(t *testing.T) {
	for name, file := range map[string]string{
		"healthchecks": "healthchecks/checks_readwrite_key.json", "betterstack-heartbeats": "betterstack/heartbeats.json",
		"betterstack-incidents": "betterstack/incidents_v3_unresolved.json", "sentry": "sentry/organization_issues_unresolved.json",
	} {
		src := fromPreset(t, name, presetParams[name], answers(t, text(string(recorded(t, file)))).URL)
		src.Request.Bearer = "env:TOKEN"
		var seen []source.Exchange
		opts := options(newClock())
		opts.Secrets = &vault{values: map[string]string{"env:TOKEN": "opensesame"}}
		opts.Trace = func(e source.Exchange) { seen = append(seen, e) }
		want := source.New(opts).Fetch(t.Context(), src)
		if len(seen) != 1 || seen[0].Status != 200 || seen[0].Failure != "" || seen[0].Bytes == 0 {
			t.Fatalf("%s: exchanges %+v", name, seen)
		}
		if all := strings.Join(seen[0].Header, "\n"); strings.Contains(all, "opensesame") || !strings.Contains(all, "Authorization: Bearer {") {
			t.Errorf("%s: headers %s", name, all)
		}
		fixture := string(seen[0].Fixture())
		for _, secret := range []string{"EXAMPLE_TOKEN", "ping.example.com", "0001-0000-4000-8000", "Example Owner", "owner@example.com", "opensesame"} {
			if strings.Contains(fixture, secret) {
				t.Errorf("%s: %q is in the fixture", name, secret)
			}
		}
		got := poll(t, fromPreset(t, name, presetParams[name], answers(t, text(fixture)).URL))
		keys := map[string]bool{}
		for _, it := range got.Items {
			keys[keyOf(t, it)] = true
		}
		if !got.Complete || len(got.Items) != len(want.Items) || len(keys) != len(want.Items) {
			t.Errorf("%s: the fixture maps to %d items of %d keys, the page to %d; problems %v", name, len(got.Items), len(keys), len(want.Items), got.Problems)
		}
	}
}

// What only a field's name tells to be a secret is none of a recording's either.
func TestFixturesHoldNothingThatANameTells(t *testing.T) {
	page := `{"jobs":[{"name":"a","state":"late","db_pass":"swordfish","routing_key":"0123456789abcdef0123456789abcdef","cvv":"737","first_pass":"ok","cache_key":"a1"}]}`
	src := fromPreset(t, "generic-json", presetParams["generic-json"], answers(t, text(page)).URL)
	var fixture string
	opts := options(newClock())
	opts.Trace = func(e source.Exchange) { fixture = string(e.Fixture()) }
	source.New(opts).Fetch(t.Context(), src)
	for _, secret := range []string{"swordfish", "0123456789abcdef", "737"} {
		if strings.Contains(fixture, secret) {
			t.Errorf("%q is in the fixture %s", secret, fixture)
		}
	}
	for _, kept := range []string{`"first_pass": "ok"`, `"cache_key": "a1"`, `"name": "a"`} {
		if !strings.Contains(fixture, kept) {
			t.Errorf("%s is not in the fixture %s", kept, fixture)
		}
	}
}
