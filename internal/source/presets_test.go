package source_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ringonce/ringonce/internal/observation"
)

// at is a path into decoded JSON: names and indexes.
type at []any

// change returns a copy of a decoded body with the value at a path replaced.
func change(v any, path at, value any) any {
	if len(path) == 0 {
		return value
	}
	switch step := path[0].(type) {
	case string:
		m, _ := v.(map[string]any)
		out := maps.Clone(m)
		if out == nil {
			out = map[string]any{}
		}
		out[step] = change(m[step], path[1:], value)
		return out
	default:
		list, _ := v.([]any)
		out := append([]any{}, list...)
		out[step.(int)] = change(out[step.(int)], path[1:], value)
		return out
	}
}

// contract is what a preset owes to the vendor's recorded answer.
type contract struct {
	preset, file string
	// more is where the answer says that more pages follow, and last the value
	// that it has on the last one.
	more at
	last any
	// numbers tells that a state is a number, of which there is no new word.
	numbers bool
	// verdicts are what the answer's items come to, by their status, counted.
	verdicts map[string]int
	// item is where in the answer the item is that the rest is about, and index
	// which of the listed ones it is.
	item  at
	index int
	// status is where its state is, relative to item; words what each means.
	status at
	words  map[string]observation.Verdict
	// key is the item's incident key; volatile are the paths, relative to item,
	// of what changes in the life of one failure.
	key      string
	volatile map[string]any
	deep     []struct {
		path  at
		value any
	}
	// evidence is what a reader is told.
	summary  string
	evidence observation.Evidence
}

func TestContracts(t *testing.T) {
	for _, c := range contracts {
		t.Run(c.preset, func(t *testing.T) {
			var body any
			if err := json.Unmarshal(recorded(t, c.file), &body); err != nil {
				t.Fatal(err)
			}
			if c.more != nil {
				body = change(body, c.more, c.last)
			}
			got := c.list(t, body)
			counts := map[string]int{}
			for _, it := range got {
				counts[it.Status+"="+string(it.Verdict)]++
			}
			if diff := cmp.Diff(c.verdicts, counts); diff != "" {
				t.Errorf("verdicts (-want +got):\n%s", diff)
			}
			c.checkItem(t, got[c.index])
			c.checkWords(t, body)
			c.checkVolatile(t, body)
		})
	}
}

// list serves a body and returns the whole listing's items.
func (c contract) list(t *testing.T, body any) []observation.Item {
	t.Helper()
	l := poll(t, fromPreset(t, c.preset, presetParams[c.preset], answers(t, text(string(asJSON(t, body)))).URL))
	if !l.Complete || len(l.Problems) > 0 {
		t.Fatalf("complete %v, problems %v", l.Complete, l.Problems)
	}
	return l.Items
}

func (c contract) checkItem(t *testing.T, it observation.Item) {
	t.Helper()
	if got := keyOf(t, it); got != c.key {
		t.Errorf("key %s, want %s", got, c.key)
	}
	if it.Summary != c.summary {
		t.Errorf("summary %q, want %q", it.Summary, c.summary)
	}
	if diff := cmp.Diff(c.evidence, it.Evidence); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
}

// checkWords gives the item every state that the vendor documents, and one that
// it does not.
func (c contract) checkWords(t *testing.T, body any) {
	t.Helper()
	words := maps.Clone(c.words)
	if !c.numbers {
		words["a new word"] = observation.Unknown
	}
	for word, want := range words {
		it := c.list(t, change(body, append(append(at{}, c.item...), c.status...), word))[c.index]
		if it.Verdict != want {
			t.Errorf("state %q: %s, want %s", word, it.Verdict, want)
		}
	}
}

// checkVolatile changes what the vendor changes, one by one and all at once: the
// key stays.
func (c contract) checkVolatile(t *testing.T, body any) {
	t.Helper()
	all := body
	try := func(path at, value any) {
		whole := append(append(at{}, c.item...), path...)
		all = change(all, whole, value)
		if got := keyOf(t, c.list(t, change(body, whole, value))[c.index]); got != c.key {
			t.Errorf("changing %v made the key %s", path, got)
		}
	}
	for name, value := range c.volatile {
		try(at{name}, value)
	}
	for _, d := range c.deep {
		try(d.path, d.value)
	}
	if got := keyOf(t, c.list(t, all)[c.index]); got != c.key {
		t.Errorf("changing everything made the key %s", got)
	}
}

// An answer that says in its body that it failed, or that is of another shape,
// is never an empty and healthy list.
func TestPresetsRefuseOtherShapes(t *testing.T) {
	for name, bodies := range map[string][]string{
		"grafana-rules":         {string(recorded(t, "grafana/rules_error_400.json")), `{}`, `{"status":"success"}`, `{"status":"success","data":{"groups":{}}}`},
		"grafana-alerts":        {`{"message":"Unauthorized"}`, `"failed"`, `{}`},
		"prometheus-alerts":     {string(recorded(t, "prometheus/query_error_400.json")), `{"status":"success"}`, `{"status":"success","data":{"alerts":{}}}`},
		"prometheus-query":      {string(recorded(t, "prometheus/query_error_400.json")), `{"status":"success","data":{"resultType":"matrix","result":[]}}`, `{"status":"success","data":{"resultType":"scalar","result":[1,"many"]}}`, `{"status":"success","data":{"resultType":"string","result":[1,"x"]}}`, `{"status":"success","data":{"resultType":"vector","result":{}}}`},
		"healthchecks":          {string(recorded(t, "healthchecks/error_401.json")), `[]`, `{"checks":{}}`},
		"betterstack-incidents": {`{"errors":"not found"}`, `{"data":{}}`, `{"data":{},"pagination":{"next":null}}`, `{"data":[]}`, `{"data":[],"pagination":null}`, `{"data":[{"id":"1","attributes":{"status":"Started"}}]}`}, "betterstack-monitors": {`{"errors":{}}`, `{"data":{}}`}, "betterstack-heartbeats": {`[]`},
		"pagerduty":      {`{"error":{"message":"x","code":2020}}`, `{"incidents":[]}`, `{"incidents":{},"more":false}`},
		"datadog-groups": {`{"errors":["Forbidden"]}`, `{"groups":[]}`, `{"groups":{},"metadata":{"page_count":0}}`}, "datadog-monitor-groups": {`{}`, `{"errors":["Forbidden"]}`, `[1]`, `[{"state":{"groups":{"a":{"status":"Alert"}}}}]`},
		"infrai-errors":  {string(recorded(t, "infrai/envelope_success_documented.json")), `{"ok":false,"data":[],"error":{}}`, `{"data":[]}`, `{"ok":true,"data":[{"id":"other name"}]}`, `{"ok":true,"data":{"groups":{}}}`},
		"infrai-metrics": {string(recorded(t, "infrai/envelope_success_documented.json")), `{"ok":true,"data":[{"value":9}]}`},
		"cloudwatch":     {`{}`, `[]`, `{"__type":"AccessDenied"}`},
		"generic-json":   {`{}`, `[]`, `{"jobs":[{"state":"late"}]}`},
		"sentry":         {`{}`}, "datadog": {`{}`}, "alertmanager": {`{}`},
	} {
		for _, body := range bodies {
			l := poll(t, fromPreset(t, name, presetParams[name], answers(t, text(body)).URL))
			if l.Complete || len(l.Problems) == 0 {
				t.Errorf("%s takes %s for a whole answer", name, body)
			}
		}
	}
}

// case U2: what was read before a page failed is kept, and proves no absence.
func TestPresetsWithAPageThatFails(t *testing.T) {
	for name, first := range map[string]string{
		"grafana-rules":         string(recorded(t, "grafana/prometheus_rules_page_with_next_token.json")),
		"betterstack-incidents": `{"data":[{"id":"1","attributes":{"status":"Started"}}],"pagination":{"next":"/?page=2"}}`,
		"betterstack-monitors":  `{"data":[{"id":"1","attributes":{"status":"down"}}],"pagination":{"next":"/?page=2"}}`,
		"pagerduty":             `{"incidents":[{"id":"A","service":{"id":"S"},"status":"triggered"}],"more":true}`,
		"datadog-groups":        `{"groups":[{"monitor_id":1,"group":"a","status":"Alert"}],"metadata":{"page_count":2}}`,
	} {
		l := poll(t, fromPreset(t, name, presetParams[name], answers(t, text(first), status(500)).URL))
		wantBroken(t, l, 1, "page 2", "500")
	}
}

// Every preset: an answer that did not come whole proves nothing, whatever was
// listed in it.
func TestPresetsWithAnAnswerThatIsNotWhole(t *testing.T) {
	files := map[string]string{
		"sentry": "sentry/organization_issues_unresolved.json", "datadog": "datadog/monitor_list.json", "alertmanager": "alertmanager/alerts.json",
	}
	for _, c := range contracts {
		files[c.preset] = c.file
	}
	for name, params := range presetParams {
		whole := string(recorded(t, files[name]))
		for what, answer := range map[string]http.HandlerFunc{
			"an outage": status(http.StatusInternalServerError), "no content": status(http.StatusNoContent),
			"half a body": text(whole[:len(whole)/2]), "two bodies": text(whole + whole), "a web page": text("<html>"), "nothing": text(""),
		} {
			if l := poll(t, fromPreset(t, name, params, answers(t, answer).URL)); l.Complete || len(l.Problems) == 0 {
				t.Errorf("%s takes %s for a whole answer", name, what)
			}
		}
	}
}

// A list of two pages is read to its end, and no further.
func TestPresetsEndTheirPages(t *testing.T) {
	for name, pages := range map[string][2]string{
		"grafana-rules": {string(recorded(t, "grafana/prometheus_rules_page_with_next_token.json")), `{"status":"success","data":{"groups":[]}}`},
		"betterstack-incidents": {
			`{"data":[{"id":"1","attributes":{"status":"Started"}}],"pagination":{"next":"/?page=2"}}`,
			`{"data":[{"id":"2","attributes":{"status":"Started"}}],"pagination":{"next":null}}`,
		},
		"betterstack-monitors": {
			`{"data":[{"id":"1","attributes":{"status":"down"}}],"pagination":{"next":"/?page=2"}}`,
			`{"data":[{"id":"2","attributes":{"status":"up"}}],"pagination":{"next":null}}`,
		},
		"betterstack-heartbeats": {
			`{"data":[{"id":"1","attributes":{"status":"down"}}],"pagination":{"next":"/?page=2"}}`,
			`{"data":[{"id":"2","attributes":{"status":"up"}}],"pagination":{"next":null}}`,
		},
		"pagerduty": {
			`{"incidents":[{"id":"A","service":{"id":"S"},"status":"triggered"}],"more":true}`,
			`{"incidents":[{"id":"B","service":{"id":"S"},"status":"triggered"}],"more":false}`,
		},
		"datadog-groups": {
			`{"groups":[{"monitor_id":1,"group":"a","status":"Alert"}],"metadata":{"page_count":2}}`,
			`{"groups":[{"monitor_id":1,"group":"b","status":"OK"}],"metadata":{"page_count":2}}`,
		},
		"cloudwatch": {
			`{"MetricAlarms":[{"AlarmArn":"a","AlarmName":"a","StateValue":"ALARM"}],"NextToken":"t"}`,
			`{"MetricAlarms":[{"AlarmArn":"b","AlarmName":"b","StateValue":"OK"}],"NextToken":null}`,
		},
	} {
		var asked []string
		server := answers(t, func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.URL.RawQuery)
			text(pages[min(len(asked), 2)-1])(w, r)
		})
		l := poll(t, fromPreset(t, name, presetParams[name], server.URL))
		if !l.Complete || len(asked) != 2 || len(l.Items) == 0 || asked[0] == asked[1] {
			t.Errorf("%s: complete %v with %d items after asking %q; problems %v", name, l.Complete, len(l.Items), asked, l.Problems)
		}
	}
}

// What vendors document as secret is not read, in no field that leaves.
func TestSecretFieldsOfVendorsAreNotRead(t *testing.T) {
	for name, file := range map[string]string{
		"healthchecks": "healthchecks/checks_readwrite_key.json", "betterstack-heartbeats": "betterstack/heartbeats.json",
		"pagerduty": "pagerduty/incidents_open.json", "betterstack-incidents": "betterstack/incidents_v2.json",
		"datadog-groups": "datadog/monitor_groups_search.json", "grafana-alerts": "grafana/alertmanager_alerts.json",
	} {
		l := poll(t, fromPreset(t, name, presetParams[name], answers(t, text(string(recorded(t, file)))).URL))
		all := string(asJSON(t, l))
		for _, secret := range []string{"EXAMPLE_TOKEN", "ping.example.com", "0001-0000-4000-8000", "Example User", "Example Owner", "owner@example.com", "__value"} {
			if strings.Contains(all, secret) {
				t.Errorf("%s: %q of %s left with the listing", name, secret, file)
			}
		}
	}
}

// What each preset asks for first, without which its lists are not whole.
func TestPresetsAskForEverything(t *testing.T) {
	for name, want := range map[string]string{
		"grafana-rules": "group_limit=100", "grafana-alerts": "active=true&inhibited=true&silenced=true",
		"prometheus-query":      "query=up",
		"betterstack-incidents": "per_page=50&resolved=false", "betterstack-monitors": "per_page=250",
		"pagerduty":      "date_range=all&limit=100&offset=0&sort_by=created_at%3Aasc&statuses%5B%5D=triggered&statuses%5B%5D=acknowledged",
		"datadog-groups": "page=0&per_page=100", "datadog-monitor-groups": "group_states=all&page=0&page_size=100&with_downtimes=true",
	} {
		var query string
		server := answers(t, func(_ http.ResponseWriter, r *http.Request) { query = r.URL.RawQuery })
		url := server.URL
		if name == "pagerduty" {
			url += "/incidents?statuses%5B%5D=triggered&statuses%5B%5D=acknowledged"
		}
		poll(t, fromPreset(t, name, presetParams[name], url))
		if query != want {
			t.Errorf("%s asks %q, want %q", name, query, want)
		}
	}
}

// What only one vendor does.
func TestTrapsOfVendors(t *testing.T) {
	one := func(name, params, body string) observation.Item {
		t.Helper()
		l := poll(t, fromPreset(t, name, params, answers(t, text(body)).URL))
		wantComplete(t, l, 1)
		return l.Items[0]
	}
	scalar := one("prometheus-query", presetParams["prometheus-query"], string(recorded(t, "prometheus/query_scalar.json")))
	if scalar.Verdict != healthy || keyOf(t, scalar) != "k1/metric/check=targets-up/labels=none" {
		t.Errorf("a scalar: %+v", scalar)
	}
	histogram := one("prometheus-query", presetParams["prometheus-query"], `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"histogram":[1,{}]}]}}`)
	if histogram.Verdict != unknown {
		t.Errorf("a histogram has no value, and is %s", histogram.Verdict)
	}
	limit := strings.Replace(presetParams["prometheus-query"], ". == 0", ". > 5", 1)
	infinite := one("prometheus-query", limit, `{"status":"success","data":{"resultType":"scalar","result":[1,"+Inf"]}}`)
	if infinite.Verdict != failing {
		t.Errorf("infinity is over every limit, and is %s", infinite.Verdict)
	}
	paused := one("grafana-rules", presetParams["grafana-rules"], `{"status":"success","data":{"groups":[{"name":"g","rules":[{"uid":"u","name":"r","isPaused":true,"alerts":[{"labels":{},"state":"Normal","activeAt":"0001-01-01T00:00:00Z"}]}]}]}}`)
	if paused.Verdict != unknown || paused.Summary != "r" || !paused.Evidence.FirstSeen.IsZero() {
		t.Errorf("a paused rule: %+v", paused)
	}
	own := one("pagerduty", "{}", `{"more":false,"incidents":[{"id":"A","status":"triggered","incident_key":"ringonce/production/k1/error/x=1#2","service":{"id":"S"},"title":"x"}]}`)
	if own.Verdict != unknown || own.Status != "sent by ringonce" {
		t.Errorf("an incident of our own: %+v", own)
	}
	keyless := one("pagerduty", "{}", `{"more":false,"incidents":[{"id":"A","status":"triggered","incident_key":"","service":{"id":"S"},"title":"x"}]}`)
	if got := keyOf(t, keyless); got != "k1/alert/service=S/incident=A" {
		t.Errorf("an incident without a key has %s", got)
	}
	manual := one("betterstack-incidents", "{}", `{"data":[{"id":"9","attributes":{"name":"x","resolved_at":null},"relationships":{}}],"pagination":{"next":null}}`)
	if manual.Verdict != failing || keyOf(t, manual) != "k1/alert/about=incident:9" {
		t.Errorf("an incident made by hand, without a status: %+v", manual)
	}
	muted := one("datadog-groups", "{}", `{"groups":[{"monitor_id":1,"group":"b:2,a:1","status":"Alert","muted":true,"monitor_name":"m"}],"metadata":{"page_count":1}}`)
	if muted.Verdict != unknown || !strings.HasSuffix(keyOf(t, muted), "/group=a:1,b:2") {
		t.Errorf("a muted group: %+v", muted)
	}
	metric := one("infrai-metrics", presetParams["infrai-metrics"], `{"ok":true,"data":{"metrics":[{"name":"latency","value":"7.5"}]}}`)
	if metric.Verdict != failing || keyOf(t, metric) != "k1/metric/metric=latency" {
		t.Errorf("a metric over its limit: %+v", metric)
	}
	for group, body := range map[string]string{
		"*":       `[{"id":7,"name":"m","overall_state":"Alert"}]`,
		"a:1,b:2": `[{"id":7,"name":"m","overall_state":"OK","state":{"groups":{"b:2,a:1":{"status":"Alert"},"total":{"status":"Alert"},"@SYNTHETICS_OVERALL@":{"status":"Alert"}}}}]`,
	} {
		if it := one("datadog-monitor-groups", "{}", body); it.Verdict != failing || keyOf(t, it) != "k1/monitor/site=datadoghq.com/monitor=7/group="+group {
			t.Errorf("a monitor's group: %+v", it)
		}
	}
	titled := strings.Replace(presetParams["generic-json"], "id: .name", `id: .name, summary: '"job \(.name)"'`, 1)
	if job := one("generic-json", titled, `{"jobs":[{"name":"import","state":"late"}]}`); job.Summary != "job import" || keyOf(t, job) != "k1/alert/id=import" {
		t.Errorf("generic JSON with a headline of one's own: %+v", job)
	}
}

// A check keeps its key when its project's key is changed for a read-only one.
func TestHealthchecksKeyOfEitherKind(t *testing.T) {
	keys := map[string][]string{}
	for _, file := range []string{"checks_readwrite_key.json", "checks_readonly_key.json"} {
		l := poll(t, fromPreset(t, "healthchecks", "{}", answers(t, text(string(recorded(t, "healthchecks/"+file)))).URL))
		for _, it := range l.Items[:3] {
			keys[file] = append(keys[file], keyOf(t, it))
		}
	}
	if diff := cmp.Diff(keys["checks_readwrite_key.json"], keys["checks_readonly_key.json"]); diff != "" {
		t.Error(diff)
	}
}

// Both revisions of Better Stack's incidents, whose details differ, are the same
// incidents.
func TestBetterStackIncidentsOfEitherRevision(t *testing.T) {
	keys := map[string][]string{}
	for _, file := range []string{"incidents_v2.json", "incidents_v3_unresolved.json"} {
		var answer any
		if err := json.Unmarshal(recorded(t, "betterstack/"+file), &answer); err != nil {
			t.Fatal(err)
		}
		answer = change(answer, at{"pagination", "next"}, nil)
		l := poll(t, fromPreset(t, "betterstack-incidents", "{}", answers(t, body(asJSON(t, answer))).URL))
		for _, it := range l.Items {
			if it.Verdict == failing {
				keys[file] = append(keys[file], keyOf(t, it))
			}
		}
	}
	want := []string{"k1/alert/about=monitor:2", "k1/alert/about=heartbeat:12345"}
	if diff := cmp.Diff(map[string][]string{"incidents_v2.json": want, "incidents_v3_unresolved.json": want}, keys); diff != "" {
		t.Error(diff)
	}
}

// Every preset that is not tested by a contract has tests of its own.
func TestEveryPresetHasAContract(t *testing.T) {
	tested := map[string]bool{"sentry": true, "datadog": true, "alertmanager": true}
	for _, c := range contracts {
		tested[c.preset] = true
	}
	for name := range presetParams {
		if !tested[name] {
			t.Errorf("preset %s has no contract", name)
		}
	}
}
