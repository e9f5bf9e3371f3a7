package source_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

func TestAlertmanagerStatuses(t *testing.T) {
	alert := recordedItems(t, "alertmanager/alerts.json")[0]
	for word, want := range map[string]observation.Verdict{
		"active":      observation.Failing,
		"unprocessed": observation.Failing,
		"suppressed":  observation.Unknown,
		"other":       observation.Unknown,
	} {
		if got := mapOne(t, "alertmanager", set(alert, word, "status", "state")); got.Verdict != want || got.Status != word {
			t.Errorf("state %s: verdict %s of %q, want %s", word, got.Verdict, got.Status, want)
		}
	}
}

func TestAlertmanagerRecordedList(t *testing.T) {
	l := poll(t, fromPreset(t, "alertmanager", presetParams["alertmanager"], answers(t, body(recorded(t, "alertmanager/alerts.json"))).URL))
	wantComplete(t, l, 5)
	failing := 0
	for _, it := range l.Items {
		if it.Verdict == observation.Failing {
			failing++
		}
	}
	if failing != 3 {
		t.Errorf("%d of 5 alerts fail, want 3: one is silenced and one inhibited", failing)
	}
}

func TestAlertmanagerKeyIsTheLabelsAlone(t *testing.T) {
	alert := recordedItems(t, "alertmanager/alerts.json")[0]
	if got, want := keyOf(t, mapOne(t, "alertmanager", alert)), "k1/alert/alertname=Free_Disk_Space_Too_Low/fingerprint=aae7a1432b5d2f1b"; got != want {
		t.Errorf("key %s, want %s", got, want)
	}
	wantSameKey(t, "alertmanager", alert, map[string]any{
		"startsAt": "2026-04-01T00:00:00Z", "endsAt": "2026-04-01T01:00:00Z", "updatedAt": "2026-04-01T00:30:00Z",
		"receivers": []any{}, "annotations": item{}, "generatorURL": "",
		"status": item{"state": "suppressed", "silencedBy": []any{"x"}, "inhibitedBy": []any{}, "mutedBy": []any{"y"}},
	})
	nameless := set(alert, item{"job": "x"}, "labels")
	if got := keyOf(t, mapOne(t, "alertmanager", nameless)); got != "k1/alert/alertname=unnamed/fingerprint=aae7a1432b5d2f1b" {
		t.Errorf("an alert without a name has key %s", got)
	}
}

func TestAlertmanagerEvidence(t *testing.T) {
	alert := set(recordedItems(t, "alertmanager/alerts.json")[1], "prod", "labels", "environment")
	got := mapOne(t, "alertmanager", alert)
	e := got.Evidence
	if !e.FirstSeen.Equal(time.Date(2026, 3, 11, 12, 48, 38, 413e6, time.UTC)) || !e.LastSeen.Equal(time.Date(2026, 3, 11, 12, 49, 18, 427e6, time.UTC)) ||
		e.Link != "https://prometheus.example.com/prometheus" || e.VendorID != "54c2f185e49cfccb" || e.Stage != "prod" || got.Summary != "HTTP_Probe_Failed: Example summary" {
		t.Errorf("item %+v", got)
	}
	if got := mapOne(t, "alertmanager", recordedItems(t, "alertmanager/alerts.json")[0]); got.Summary != "Free_Disk_Space_Too_Low" {
		t.Errorf("summary of an alert without annotations for it: %q", got.Summary)
	}
}

func TestAlertmanagerAsksForMutedAlertsToo(t *testing.T) {
	var query string
	server := answers(t, func(w http.ResponseWriter, r *http.Request) { query = r.URL.RawQuery; text("[]")(w, r) })
	wantComplete(t, poll(t, fromPreset(t, "alertmanager", presetParams["alertmanager"], server.URL)), 0)
	if want := "active=true&inhibited=true&silenced=true&unprocessed=true"; query != want {
		t.Errorf("query %q, want %q", query, want)
	}
}

// case U1, Alertmanager's overload: 503 as plain text, without Retry-After.
func TestAlertmanagerOverloadIsRetriedThenUnknown(t *testing.T) {
	busy := func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "Limit of concurrent GET requests reached", http.StatusServiceUnavailable)
	}
	src := fromPreset(t, "alertmanager", presetParams["alertmanager"], answers(t, busy).URL)
	l := poll(t, src)
	wantBroken(t, l, 0, "503 Service Unavailable", "after 4 tries", "overloaded or down")
	if strings.Contains(fmt.Sprint(l.Problems), "less often") {
		t.Errorf("an outage is blamed on the interval: %v", l.Problems)
	}
	src.Request.URL = answers(t, busy, busy, body(recorded(t, "alertmanager/alerts.json"))).URL
	l = poll(t, src)
	wantComplete(t, l, 5)
	if l.Requests != 3 || l.Retries != 2 || l.Waited <= 0 {
		t.Errorf("requests %d, retries %d, waited %s", l.Requests, l.Retries, l.Waited)
	}
}

// An Alertmanager error of status 200 would be a JSON string, not a list.
func TestAlertmanagerErrorTextIsNotHealth(t *testing.T) {
	l := poll(t, fromPreset(t, "alertmanager", presetParams["alertmanager"], answers(t, text(`"failed"`)).URL))
	wantBroken(t, l, 0, "map.items: cannot iterate over: string")
}

// /alerts/groups repeats an alert for every route that matches it. A
// declaration on it lists each once.
func TestAlertmanagerGroupsRepeatAlerts(t *testing.T) {
	src := plain(answers(t, body(recorded(t, "alertmanager/alerts_groups.json"))).URL)
	src.Map = fromPreset(t, "alertmanager", presetParams["alertmanager"], "https://x.example/").Map
	src.Map.Items = ".[].alerts[]"
	src.Pagination = config.Pagination{Type: "none"}
	l := poll(t, src)
	prints := map[string]int{}
	for _, it := range l.Items {
		prints[it.Evidence.VendorID]++
	}
	if !l.Complete || len(prints) != len(l.Items) || len(prints) == 0 {
		t.Errorf("listed %v, problems %v", prints, l.Problems)
	}
}
