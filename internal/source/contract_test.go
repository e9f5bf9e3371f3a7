package source_test

import (
	"net/http/httptest"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// presetParams are the parameters that the tests give to each preset.
var presetParams = map[string]string{
	"sentry":       "{org: example-org}",
	"datadog":      "{}",
	"alertmanager": `{url: "https://alertmanager.example.com"}`,

	"grafana-rules":          `{url: "https://grafana.example.com"}`,
	"grafana-alerts":         `{url: "https://grafana.example.com"}`,
	"prometheus-alerts":      `{url: "https://prometheus.example.com"}`,
	"prometheus-query":       `{url: "https://prometheus.example.com", check: targets-up, query: up, failing: . == 0}`,
	"healthchecks":           "{}",
	"betterstack-incidents":  "{}",
	"betterstack-monitors":   "{}",
	"betterstack-heartbeats": "{}",
	"pagerduty":              "{}",
	"cloudwatch":             "{region: us-east-1}",
	"datadog-groups":         "{}",
	"datadog-monitor-groups": "{}",
	"infrai-errors":          "{}",
	"infrai-metrics":         "{failing: . > 5}",
	"generic-json":           `{url: "https://api.example.com/jobs", items: ".jobs[]", id: .name, failing: .state == "late", healthy: .state == "done"}`,
}

// item is one vendor's item, as decoded JSON.
type item = map[string]any

// mapOne serves one item to a preset and returns what it was mapped to.
func mapOne(t *testing.T, name string, it item) observation.Item {
	t.Helper()
	server := httptest.NewServer(body(asJSON(t, []item{it})))
	defer server.Close()
	l := poll(t, fromPreset(t, name, presetParams[name], server.URL))
	wantComplete(t, l, 1)
	return l.Items[0]
}

// set returns a copy of an item with one field replaced, at a path.
func set(it item, value any, path ...string) item {
	out := make(item, len(it))
	for k, v := range it {
		out[k] = v
	}
	if len(path) > 1 {
		inner, _ := it[path[0]].(item)
		value = set(inner, value, path[1:]...)
	}
	out[path[0]] = value
	return out
}

// wantSameKey checks that changing what the vendor changes in the life of one
// failure leaves its identity alone.
func wantSameKey(t *testing.T, name string, it item, volatile map[string]any, deep ...[]any) {
	t.Helper()
	want := keyOf(t, mapOne(t, name, it))
	all := it
	for field, value := range volatile {
		all = set(all, value, field)
		if got := keyOf(t, mapOne(t, name, set(it, value, field))); got != want {
			t.Errorf("%s: changing %s changed the key from %s to %s", name, field, want, got)
		}
	}
	for _, d := range deep {
		all = set(all, d[0], d[1].([]string)...)
	}
	if got := keyOf(t, mapOne(t, name, all)); got != want {
		t.Errorf("%s: changing every volatile field changed the key from %s to %s", name, want, got)
	}
}

func TestEveryPresetIsSoundAndTested(t *testing.T) {
	if n := len(preset.Names()); n != len(presetParams) {
		t.Errorf("%d presets, %d with tests", n, len(presetParams))
	}
	for _, name := range preset.Names() {
		params, ok := presetParams[name]
		if !ok {
			t.Errorf("preset %s has no contract test", name)
			continue
		}
		src := fromPreset(t, name, params, "https://vendor.example.com/list")
		for _, fault := range source.Check(src) {
			t.Errorf("preset %s: %s", name, fault)
		}
		if src.Absent == "" || src.Kind == "" {
			t.Errorf("preset %s does not say its kind and what absence means", name)
		}
	}
}

func TestWhatAbsenceMeansInEachPreset(t *testing.T) {
	for name, want := range map[string]config.Absent{
		"sentry": config.AbsentMissing, "datadog": config.AbsentUnknown, "alertmanager": config.AbsentHealthy,
		"grafana-rules": config.AbsentUnknown, "grafana-alerts": config.AbsentMissing,
		"prometheus-alerts": config.AbsentHealthy, "prometheus-query": config.AbsentUnknown, "healthchecks": config.AbsentUnknown,
		"betterstack-incidents": config.AbsentHealthy, "betterstack-monitors": config.AbsentUnknown, "betterstack-heartbeats": config.AbsentUnknown,
		"cloudwatch": config.AbsentUnknown,
		"pagerduty":  config.AbsentHealthy, "datadog-groups": config.AbsentUnknown, "datadog-monitor-groups": config.AbsentUnknown,
		"infrai-errors": config.AbsentUnknown, "infrai-metrics": config.AbsentUnknown, "generic-json": config.AbsentUnknown,
	} {
		if got := fromPreset(t, name, presetParams[name], "https://x.example/").Absent; got != want {
			t.Errorf("preset %s: absence means %s, want %s", name, got, want)
		}
	}
}
