package source_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/source"
)

// FuzzFetch lets a vendor answer anything: whatever the first page, its status
// and its headers, and whatever follows. Fetch must neither panic nor run on,
// and a listing that is complete must come from 200s that were lists.
func FuzzFetch(f *testing.F) {
	for _, path := range []string{
		"sentry/organization_issues_unresolved.json", "sentry/error_429.json", "datadog/monitor_list.json", "datadog/monitor_search.json", "alertmanager/alerts.json",
		"grafana/prometheus_rules.json", "grafana/prometheus_rules_page_with_next_token.json", "grafana/alertmanager_alerts.json",
		"prometheus/alerts.json", "prometheus/query_vector.json", "prometheus/query_scalar.json", "prometheus/query_error_400.json",
		"healthchecks/checks_readwrite_key.json", "betterstack/incidents_v2.json", "betterstack/monitors.json", "betterstack/heartbeats.json",
		"pagerduty/incidents_open.json", "datadog/monitor_groups_search.json", "infrai/errors_groups_guessed.json", "cloudwatch/describe_alarms.json",
	} {
		f.Add(uint16(200), recorded(f, path), "", "", "", uint16(200), []byte("[]"))
	}
	f.Add(uint16(200), []byte(`[{"id":1e999999999,"status":"unresolved"},[],null]`), `</?p=2>; rel="next"; results="true"`, "", "", uint16(500), []byte("<html>"))
	f.Add(uint16(429), []byte(""), "<>;;,\"", "-1", "9e99", uint16(200), []byte("[]"))
	f.Add(uint16(302), []byte("{"), `<http://[::1]:namedport/>; rel=next`, "Fri, 31 Dec 1999 23:59:59 GMT", "NaN", uint16(204), []byte("\xff"))
	f.Add(uint16(0), []byte(`[{"id":`+strings.Repeat("7", 3000)+`,"status":"unresolved"}]`), "", "", "", uint16(0), []byte("[]"))
	var sources []config.Source
	for name, params := range presetParams {
		sources = append(sources, fromPreset(f, name, params, "https://vendor.example/"))
	}
	described := fromPreset(f, "infrai-errors", `{url: "https://vendor.example"}`, "https://vendor.example/v1/errors/groups")
	described.Discovery.URL = "https://vendor.example/v1/discovery"
	sources = append(sources, described)
	f.Add(uint16(0), []byte(groupIndex), "", "", "", uint16(0), []byte(`{"ok":true,"data":[{"id":"x","status":"unresolved"}]}`))
	f.Fuzz(func(t *testing.T, code uint16, first []byte, link, retry, reset string, nextCode uint16, next []byte) {
		n := 0
		server := &scripted{func(w http.ResponseWriter) {
			n++
			status, body := int(code), first
			if n > 1 {
				status, body = int(nextCode), next
			}
			w.Header().Set("Link", link)
			w.Header().Set("Retry-After", retry)
			w.Header().Set("X-Ratelimit-Reset", reset)
			w.Header().Set("Location", link)
			w.WriteHeader(200 + status%400)
			_, _ = w.Write(body)
		}}
		for _, src := range sources {
			n = 0
			src.Pagination.MaxPages = 4
			src.Canary = config.Canary{MinItems: 1, Item: ".status == \"canary\""}
			if len(first)%2 == 0 {
				src.Canary = config.Canary{}
			}
			c := newClock()
			opts := options(c)
			opts.Transport = server
			began := c.Now()
			l := source.New(opts).Fetch(t.Context(), src)
			if l.Complete && (n == 0 || code%400 != 0 || !isList(first) || anyGrave(l.Problems)) {
				t.Fatalf("status %d, body %q became a complete listing: %+v", 200+code%400, first, l)
			}
			if !l.Complete && len(l.Problems) == 0 {
				t.Fatalf("an incomplete listing says nothing: %+v", l)
			}
			if took := c.Now().Sub(began); took > time.Minute || n > 50 {
				t.Fatalf("%s and %d requests for one poll", took, n)
			}
			checkItems(t, l)
		}
	})
}

// isList tells whether a body is a list or an object, which is all that the
// presets' items programs can list.
func isList(b []byte) bool {
	for _, c := range b {
		switch c {
		case '[', '{':
			return true
		case ' ', '\n', '\t', '\r', 0xef, 0xbb, 0xbf:
		default:
			return false
		}
	}
	return false
}

func anyGrave(problems []observation.Problem) bool {
	return slices.ContainsFunc(problems, func(p observation.Problem) bool { return !p.Evidence })
}

func checkItems(t *testing.T, l observation.Listing) {
	t.Helper()
	for _, it := range l.Items {
		if _, err := observation.ParseVerdict(string(it.Verdict)); err != nil {
			t.Fatal(err)
		}
		for _, p := range it.Parts {
			if p.Value == "" {
				t.Fatalf("an empty key part in %+v", it)
			}
		}
		_ = keyOf(t, it)
	}
	_ = fmt.Sprint(l.Problems)
}

// scripted answers without a network, so that the fuzzer is quick.
type scripted struct{ answer func(http.ResponseWriter) }

func (s *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	s.answer(w)
	resp := w.Result()
	resp.Request = r
	return resp, nil
}
