package source_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// case U4, Datadog's part, among all its statuses.
func TestDatadogStatuses(t *testing.T) {
	monitor := recordedItems(t, "datadog/monitor_list.json")[0]
	for word, want := range map[string]observation.Verdict{
		"Alert":   observation.Failing,
		"Warn":    observation.Failing,
		"OK":      observation.Healthy,
		"No Data": observation.Unknown,
		"Unknown": observation.Unknown,
		"Skipped": observation.Unknown,
		"Ignored": observation.Unknown,
	} {
		got := mapOne(t, "datadog", set(monitor, word, "overall_state"))
		if got.Verdict != want || got.Status != word {
			t.Errorf("state %s: verdict %s of %q, want %s", word, got.Verdict, got.Status, want)
		}
	}
}

func TestDatadogWarnCanBeMappedOtherwise(t *testing.T) {
	src := fromPreset(t, "datadog", "{}", answers(t, body(recorded(t, "datadog/monitor_list.json"))).URL)
	src.Map.Verdicts["Warn"] = "unknown"
	for _, it := range poll(t, src).Items {
		if it.Status == "Warn" && it.Verdict != observation.Unknown {
			t.Errorf("Warn is %s", it.Verdict)
		}
	}
}

func TestDatadogMutedIsUnknown(t *testing.T) {
	monitor := recordedItems(t, "datadog/monitor_list.json")[0]
	for name, tt := range map[string]struct {
		it   item
		want observation.Verdict
	}{
		"active downtime":   {set(monitor, []item{{"active": false}, {"active": true}}, "matching_downtimes"), observation.Unknown},
		"planned downtime":  {set(monitor, []item{{"active": false}}, "matching_downtimes"), observation.Failing},
		"silenced for ever": {set(monitor, item{"*": nil}, "options", "silenced"), observation.Unknown},
		"silenced a while":  {set(monitor, item{"host:a": 4102444800}, "options", "silenced"), observation.Unknown},
		"no such fields":    {set(set(monitor, nil, "matching_downtimes"), item{}, "options"), observation.Failing},
	} {
		if got := mapOne(t, "datadog", tt.it); got.Verdict != tt.want {
			t.Errorf("%s: %s (%s), want %s", name, got.Verdict, got.Status, tt.want)
		}
	}
	healthyButMuted := set(set(monitor, "OK", "overall_state"), item{"*": nil}, "options", "silenced")
	if got := mapOne(t, "datadog", healthyButMuted); got.Verdict != observation.Unknown {
		t.Errorf("OK while muted is %s, want unknown", got.Verdict)
	}
}

// A downtime of one host leaves the other hosts of its monitor to be told of. Where
// it cannot be known what a scope means, the group is muted.
func TestDatadogMutedGroups(t *testing.T) {
	const down = `{"active":true,"scope":`
	for _, tt := range []struct {
		group, silenced, downtimes string
		want                       observation.Verdict
	}{
		{"host:a", `{}`, ``, observation.Failing},
		{"host:a", `{"*":null}`, ``, observation.Unknown},
		{"host:a", `{"host:a":null}`, ``, observation.Unknown},
		{"host:a", `{"host:b":null}`, ``, observation.Failing},
		{"host:a", `{"host:b":null,"host:a":4102444800}`, ``, observation.Unknown},
		{"env:prod,host:a", `{"host:a,env:prod":null}`, ``, observation.Unknown},
		{"env:prod,host:a", `{"env:prod":null}`, ``, observation.Unknown},
		{"env:prod,host:a", `{"env:dev,host:a":null}`, ``, observation.Failing},
		{"host:a", `{"env:prod":null}`, ``, observation.Unknown},
		{"host:a", `{"host:b*":null}`, ``, observation.Unknown},
		{"host:a", `{"!host:b":null}`, ``, observation.Unknown},
		{"host:a", ``, down + `["*"]}`, observation.Unknown},
		{"host:a", ``, down + `["host:b"]}`, observation.Failing},
		{"host:a", ``, down + `["host:a","env:prod"]}`, observation.Unknown},
		{"host:a", ``, `{"active":false,"scope":["host:a"]}`, observation.Failing},
		{"host:a", ``, down + `["host:b"]},` + down + `["host:a"]}`, observation.Unknown},
		{"host:a", ``, down + `"host:b OR host:a"}`, observation.Unknown},
		{"host:a", ``, down + `"host:b"}`, observation.Failing},
		{"host:a", ``, down + `null}`, observation.Unknown},
		{"host:a", ``, `{"active":true}`, observation.Unknown},
		{"*", `{"host:b":null}`, ``, observation.Unknown},
	} {
		silenced := tt.silenced
		if silenced == "" {
			silenced = "null"
		}
		body := `[{"id":7,"name":"m","overall_state":"Alert","state":{"groups":{"` + tt.group + `":{"status":"Alert"}}},"options":{"silenced":` + silenced + `},"matching_downtimes":[` + tt.downtimes + `]}]`
		l := poll(t, fromPreset(t, "datadog-monitor-groups", "{}", answers(t, text(body)).URL))
		wantComplete(t, l, 1)
		if got := l.Items[0].Verdict; got != tt.want {
			t.Errorf("%s, silenced %s, downtimes %s: %s, want %s", tt.group, tt.silenced, tt.downtimes, got, tt.want)
		}
	}
}

func TestDatadogRecordedList(t *testing.T) {
	l := poll(t, fromPreset(t, "datadog", "{}", answers(t, body(recorded(t, "datadog/monitor_list.json"))).URL))
	wantComplete(t, l, 5)
	var got []string
	for _, it := range l.Items {
		got = append(got, fmt.Sprintf("%s %s %s", it.Evidence.VendorID, it.Status, it.Verdict))
	}
	want := []string{"72887070 Alert failing", "69290361 Warn failing", "34918366 OK healthy", "67467775 No Data unknown", "71950958 muted unknown"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDatadogKeyIsTheMonitorsAlone(t *testing.T) {
	monitor := recordedItems(t, "datadog/monitor_list.json")[0]
	if got, want := keyOf(t, mapOne(t, "datadog", monitor)), "k1/monitor/site=datadoghq.com/monitor=72887070"; got != want {
		t.Errorf("key %s, want %s", got, want)
	}
	wantSameKey(t, "datadog", monitor, map[string]any{
		"overall_state": "OK", "overall_state_modified": "2026-01-01T00:00:00+00:00", "modified": "2026-01-01T00:00:00+00:00",
		"name": "renamed", "message": "other", "query": "other", "tags": []any{"a:b"}, "priority": nil, "creator": nil,
		"created_at": 1, "multi": true, "state": item{"groups": item{"host:a": item{"status": "Alert"}}},
	})
}

func TestDatadogEvidence(t *testing.T) {
	monitor := recordedItems(t, "datadog/monitor_list_group_states_all.json")[0]
	got := mapOne(t, "datadog", monitor)
	e := got.Evidence
	if !e.FirstSeen.Equal(time.Date(2022, 6, 21, 13, 12, 1, 0, time.UTC)) || e.VendorID != "2000001" || e.Stage != "prod" ||
		e.Link != "https://app.datadoghq.com/monitors/2000001" || len(e.Samples) != 1 || got.Summary != "High load by host" {
		t.Errorf("item %+v", got)
	}
	if s := fmt.Sprintf("%+v", got); strings.Contains(s, "example.com") || strings.Contains(s, "Owner") {
		t.Errorf("the creator is in %s", s)
	}
	src := fromPreset(t, "datadog", "{site: us5.datadoghq.com}", answers(t, body(asJSON(t, []item{monitor}))).URL)
	if got := poll(t, src).Items[0]; got.Evidence.Link != "https://us5.datadoghq.com/monitors/2000001" {
		t.Errorf("link on another site: %s", got.Evidence.Link)
	}
}

// datadogPages serves n monitors by page and page_size, as Datadog does: no
// end mark, and an empty list past the end.
func datadogPages(t *testing.T, n int, asked *[]string) http.HandlerFunc {
	monitor := recordedItems(t, "datadog/monitor_list.json")[0]
	return func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.URL.RawQuery)
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		size, _ := strconv.Atoi(r.URL.Query().Get("page_size"))
		list := []item{}
		for i := page * size; i < min(n, (page+1)*size); i++ {
			list = append(list, set(monitor, 1000+i, "id"))
		}
		_ = json.NewEncoder(w).Encode(list)
	}
}

func TestDatadogPagesEndWithAShortOne(t *testing.T) {
	for n, requests := range map[int]int{0: 1, 99: 1, 100: 2, 101: 2, 250: 3} {
		var asked []string
		l := poll(t, fromPreset(t, "datadog", "{}", answers(t, datadogPages(t, n, &asked)).URL))
		wantComplete(t, l, n)
		if len(asked) != requests || asked[0] != "page=0&page_size=100&with_downtimes=true" {
			t.Errorf("%d monitors: asked %q, want %d requests from page 0", n, asked, requests)
		}
	}
}

// The search endpoints answer with another shape; a source that points there
// by mistake must not read as healthy.
func TestDatadogWrongEndpointIsNotHealth(t *testing.T) {
	for _, path := range []string{"datadog/monitor_search.json", "datadog/monitor_groups_search.json"} {
		l := poll(t, fromPreset(t, "datadog", "{}", answers(t, body(recorded(t, path))).URL))
		wantBroken(t, l, 0, "map.items", "page 1 item 1")
	}
}

// A source of the user's own, on Datadog's group search: several groups of one
// monitor, each with its own key.
func TestDatadogGroupsByADeclarationOfOnesOwn(t *testing.T) {
	src := plain(answers(t, body(recorded(t, "datadog/monitor_groups_search.json"))).URL)
	src.Map.Items, src.Map.Status = ".groups[]", ".status"
	src.Map.Verdicts = map[string]string{"Alert": "failing", "Warn": "failing", "OK": "healthy"}
	src.Map.Key = []config.KeyPart{
		{Name: "monitor", Value: ".monitor_id", Type: "id"},
		{Name: "group", Value: `.group | split(",") | sort | join(",")`, Type: "id"},
	}
	src.Map.Summary, src.Map.Evidence.VendorID = ".monitor_name", ".monitor_id"
	l := poll(t, src)
	wantComplete(t, l, 5)
	keys := map[string]bool{}
	for _, it := range l.Items {
		keys[keyOf(t, it)] = true
	}
	if len(keys) != 5 {
		t.Errorf("%d keys of 5 groups: %v", len(keys), keys)
	}
}
