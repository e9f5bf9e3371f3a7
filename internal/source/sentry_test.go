package source_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

func TestSentryStatuses(t *testing.T) {
	issue := recordedItems(t, "sentry/organization_issues_unresolved.json")[0]
	for word, want := range map[string]observation.Verdict{
		"unresolved":       observation.Failing,
		"resolved":         observation.Healthy,
		"ignored":          observation.Unknown,
		"pending_deletion": observation.Unknown,
		"pending_merge":    observation.Unknown,
		"reprocessing":     observation.Unknown,
		"a word of 2031":   observation.Unknown,
	} {
		got := mapOne(t, "sentry", set(issue, word, "status"))
		if got.Verdict != want || got.Status != word {
			t.Errorf("status %s: verdict %s of %q, want %s", word, got.Verdict, got.Status, want)
		}
	}
	for _, it := range recordedItems(t, "sentry/organization_issues_other_statuses.json") {
		want := map[any]observation.Verdict{"resolved": observation.Healthy, "ignored": observation.Unknown}[it["status"]]
		if got := mapOne(t, "sentry", it); got.Verdict != want {
			t.Errorf("issue %v, %v: verdict %s, want %s", it["id"], it["status"], got.Verdict, want)
		}
	}
}

func TestSentryKeyIsTheIssuesAlone(t *testing.T) {
	issue := recordedItems(t, "sentry/organization_issues_unresolved.json")[0]
	if got, want := keyOf(t, mapOne(t, "sentry", issue)), "k1/error/org=example-org/issue=6507376925"; got != want {
		t.Errorf("key %s, want %s", got, want)
	}
	wantSameKey(t, "sentry", issue, map[string]any{
		"count": "31415", "userCount": 99, "lastSeen": "2026-01-02T03:04:05Z", "stats": nil, "lifetime": nil, "filtered": "x",
		"substatus": "regressed", "assignedTo": nil, "priority": "high", "title": "other", "culprit": nil, "shortId": "NEW-1",
		"permalink": "https://other.sentry.io/issues/6507376925/", "level": "fatal", "metadata": item{}, "status": "ignored",
	}, []any{"renamed", []string{"project", "slug"}})
	if other := keyOf(t, mapOne(t, "sentry", set(issue, "6507376926", "id"))); other == keyOf(t, mapOne(t, "sentry", issue)) {
		t.Error("two issues have one key")
	}
}

func TestSentryEvidence(t *testing.T) {
	issues := recordedItems(t, "sentry/organization_issues_unresolved.json")
	got := mapOne(t, "sentry", issues[0])
	want := observation.Evidence{
		FirstSeen: time.Date(2025, 4, 3, 22, 51, 19, 403e6, time.UTC), LastSeen: time.Date(2025, 4, 12, 11, 34, 11, 0, time.UTC),
		Count: 25, Link: "https://example-org.sentry.io/issues/6507376925/", VendorID: "6507376925",
	}
	if e := got.Evidence; !e.FirstSeen.Equal(want.FirstSeen) || !e.LastSeen.Equal(want.LastSeen) || e.Count != want.Count ||
		e.Link != want.Link || e.VendorID != want.VendorID || !slices.Equal(e.Samples, []string{"Tool is already registered"}) {
		t.Errorf("evidence %+v", e)
	}
	if got.Summary != "Error: Tool is already registered (Object.fetch(index))" || got.Kind != "error" {
		t.Errorf("summary %q of kind %q", got.Summary, got.Kind)
	}
	if got := mapOne(t, "sentry", issues[2]); got.Summary != "TypeError: cannot read properties of undefined" {
		t.Errorf("summary without a culprit %q", got.Summary)
	}
}

// sentryPages serves pages the way Sentry does: both links always, and a next
// link even after the last page, whose results flag is false.
func sentryPages(t *testing.T, pages ...[]byte) *httptest.Server {
	t.Helper()
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := 0
		_, _ = fmt.Sscanf(r.URL.Query().Get("cursor"), "0:%d:0", &n)
		if n >= len(pages) {
			t.Errorf("page %d was asked for, after the last", n+1)
			n = len(pages) - 1
		}
		at := func(n int) string { return fmt.Sprintf("%s/?query=is%%3Aunresolved&cursor=0:%d:0", s.URL, n) }
		w.Header().Set("Link", fmt.Sprintf(
			`<%s>; rel="previous"; results="%t"; cursor="0:%d:1", <%s>; rel="next"; results="%t"; cursor="0:%d:0"`,
			at(n-1), n > 0, n-1, at(n+1), n+1 < len(pages), n+1))
		body(pages[n])(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// TestSentryPagesEnd: a reader that follows every next link never ends. The
// second page repeats an issue that moved while the first was read.
func TestSentryPagesEnd(t *testing.T) {
	issues := recordedItems(t, "sentry/organization_issues_unresolved.json")
	server := sentryPages(t, asJSON(t, issues[:2]), asJSON(t, issues[1:]), []byte("[]"))
	l := poll(t, fromPreset(t, "sentry", presetParams["sentry"], server.URL))
	wantComplete(t, l, 3)
	if l.Requests != 3 || l.Retries != 0 {
		t.Errorf("%d requests, %d retries; want 3 and 0", l.Requests, l.Retries)
	}
}

func TestSentryAsksForUnresolvedInAStableOrder(t *testing.T) {
	var query string
	server := answers(t, func(w http.ResponseWriter, r *http.Request) { query = r.URL.RawQuery; text("[]")(w, r) })
	wantComplete(t, poll(t, fromPreset(t, "sentry", presetParams["sentry"], server.URL)), 0)
	if want := "limit=100&query=is%3Aunresolved&sort=new"; query != want {
		t.Errorf("query %q, want %q", query, want)
	}
}

// case U2: the second page fails, so what it may have held is unknown, while
// the failures on the first are kept.
func TestSentrySecondPageFails(t *testing.T) {
	issues := recorded(t, "sentry/organization_issues_unresolved.json")
	var s *httptest.Server
	s = answers(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", `<`+s.URL+`/?cursor=2>; rel="next"; results="true"`)
		body(issues)(w, r)
	}, status(500))
	l := poll(t, fromPreset(t, "sentry", presetParams["sentry"], s.URL))
	wantBroken(t, l, 3, "page 2", "500 Internal Server Error", "after 4 tries")
	for _, it := range l.Items {
		if it.Verdict != observation.Failing {
			t.Errorf("%v is %s", it.Parts, it.Verdict)
		}
	}
}

func TestSentryErrorsAreNotHealth(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"bad request", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(400)
			_, _ = w.Write(recorded(t, "sentry/error_400_stats_period.json"))
		}, "request.query"},
		{"an error body under 200", body(recorded(t, "sentry/error_429.json")), "map.items"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantBroken(t, poll(t, fromPreset(t, "sentry", presetParams["sentry"], answers(t, tt.answer).URL)), 0, "page 1", tt.want)
		})
	}
}
