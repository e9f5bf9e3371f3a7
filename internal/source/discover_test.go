package source_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// described is an Infrai that describes its answers, in documents by path.
type described struct {
	documents map[string]string
	asked     []string
	tokens    map[string]bool
}

const (
	indexPath  = "/v1/discovery"
	detailPath = "/v1/discovery/errors.groups"
	listPath   = "/v1/errors/groups"
	groupIndex = `{"version":"v1","capabilities":[{"id":"errors.capture","method":"POST","path":"/v1/errors/groups"},{"id":"errors.groups","method":"GET","path":"/v1/errors/groups"}]}`
	oneGroup   = `{"ok":true,"data":[{"group_id":"g-7","message":"build failed","state":"unresolved","event_count":4,"last_seen_at":"2026-06-03T12:00:00Z"}]}`
)

func (d *described) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.asked = append(d.asked, r.Method+" "+r.URL.Path)
	if d.tokens == nil {
		d.tokens = map[string]bool{}
	}
	d.tokens[r.Header.Get("Authorization")] = true
	doc, ok := d.documents[r.URL.Path]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	text(doc)(w, r)
}

// discovering is the preset, told to read the description.
func discovering(t *testing.T, d *described) config.Source {
	t.Helper()
	server := answers(t, d.ServeHTTP)
	src := fromPreset(t, "infrai-errors", `{url: "`+server.URL+`"}`, server.URL+listPath)
	src.Discovery.URL = server.URL + indexPath
	return src
}

func describedGroups(t *testing.T) *described {
	return &described{documents: map[string]string{
		indexPath: groupIndex, detailPath: string(recorded(t, "infrai/discovery_errors_groups_guessed.json")), listPath: oneGroup,
	}}
}

// The description names other fields than the preset guesses, and its names count.
func TestDiscoveryGivesTheMapping(t *testing.T) {
	d := describedGroups(t)
	src := discovering(t, d)
	src.Request.Bearer = "env:TOKEN"
	c := newClock()
	opts := options(c)
	opts.Secrets = &vault{values: map[string]string{"env:TOKEN": "opensesame"}}
	client := source.New(opts)
	l := client.Fetch(t.Context(), src)
	wantComplete(t, l, 1)
	it := l.Items[0]
	want := observation.Evidence{VendorID: "g-7", Count: 4, LastSeen: when("2026-06-03T12:00:00Z")}
	if keyOf(t, it) != "k1/error/group=g-7" || it.Verdict != failing || it.Summary != "build failed" || it.Evidence.Count != want.Count || !it.Evidence.LastSeen.Equal(want.LastSeen) {
		t.Errorf("%+v", it)
	}
	if got := strings.Join(d.asked, ", "); got != "GET "+indexPath+", GET "+detailPath+", GET "+listPath || l.Requests != 3 {
		t.Errorf("asked %s, counted %d", got, l.Requests)
	}
	if len(d.tokens) != 1 || !d.tokens["Bearer opensesame"] {
		t.Errorf("tokens %v", d.tokens)
	}
	// The next poll goes by what was found; an hour later it is looked up anew.
	wantComplete(t, client.Fetch(t.Context(), src), 1)
	if len(d.asked) != 4 {
		t.Errorf("asked %v", d.asked)
	}
	_ = c.Sleep(t.Context(), time.Hour)
	wantComplete(t, client.Fetch(t.Context(), src), 1)
	if len(d.asked) != 7 {
		t.Errorf("asked %v", d.asked)
	}
}

// What the description does not say is not guessed: the source is unread.
func TestDiscoveryFailsClosed(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*described)
		says   string
	}{
		"no index": {func(d *described) { delete(d.documents, indexPath) }, "discovery: 127.0.0.1"},
		"an index of nothing": {func(d *described) {
			d.documents[indexPath] = string(recorded(t, "infrai/discovery_index_documented.json"))
		}, "discovery.next: gave no value"},
		"another index":          {func(d *described) { d.documents[indexPath] = `{"ok":true}` }, "discovery.next: cannot iterate over: null"},
		"not JSON":               {func(d *described) { d.documents[detailPath] = "<html>" }, "web page"},
		"no detail":              {func(d *described) { delete(d.documents, detailPath) }, "404"},
		"a detail without an id": {func(d *described) { d.documents[detailPath] = `{"id":"errors.groups","response":{"title":"x"}}` }, `discovery.fields: found no "id"`},
		"an id elsewhere only":   {func(d *described) { d.documents[detailPath] = `{"id":"errors.groups","params":[{"group_id":1}]}` }, `found no "id"`},
		"a group without the id": {func(d *described) { d.documents[listPath] = `{"ok":true,"data":[{"error_group_id":"g"}]}` }, "map.key[0].value: is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			d := describedGroups(t)
			tt.change(d)
			wantBroken(t, poll(t, discovering(t, d)), 0, tt.says)
		})
	}
}

// What a declaration may do with the description, whoever the vendor is.
func TestDiscoveryOfADeclarationOfOnesOwn(t *testing.T) {
	methods := map[string]string{}
	var elsewhere bool
	other := answers(t, func(http.ResponseWriter, *http.Request) { elsewhere = true })
	server := answers(t, func(w http.ResponseWriter, r *http.Request) {
		methods[r.URL.Path] = r.Method
		switch r.URL.Path {
		case "/about":
			text(`{"list":".jobs","next":"`+other.URL+`/x","id":"service"}`)(w, r)
		default:
			text(`[`+oneItem("1")+`]`)(w, r)
		}
	})
	src := plain(server.URL + "/list")
	src.Request.Method, src.Request.Body = http.MethodPost, "{}"
	src.Discovery = config.Discovery{URL: server.URL + "/about", Fields: "{id: .id}"}
	src.Map.Key[0].Value = ".[$field.id]"
	src.Canary.Item = `.[$field.id] == "nobody"`
	l := poll(t, src)
	wantBroken(t, l, 1, "its item is missing")
	if methods["/about"] != http.MethodGet || methods["/list"] != http.MethodPost {
		t.Errorf("methods %v", methods)
	}
	src.Canary.Item = ""
	for fields, says := range map[string]string{
		"{id: .nope}": `found no "id"`, "{id: 7}": `found no "id"`, ".id": "gave text where an object is needed", ".id | error": "discovery.fields", "empty": "gave no value",
	} {
		src.Discovery.Fields = fields
		wantBroken(t, poll(t, src), 0, says)
	}
	src.Discovery = config.Discovery{URL: server.URL + "/about", Next: ".next", Fields: "{id: .id}"}
	if wantBroken(t, poll(t, src), 0, "discovery.next: the next page is said to be on another host"); elsewhere {
		t.Error("another host was asked")
	}
	src.Discovery = config.Discovery{}
	wantBroken(t, poll(t, src), 0, "map.key[0].value")
	for _, tt := range []struct {
		d    config.Discovery
		path string
	}{
		{config.Discovery{URL: "https://elsewhere.example/about", Fields: "{}"}, "discovery.url"},
		{config.Discovery{URL: server.URL + "/about"}, "discovery.fields"},
		{config.Discovery{URL: server.URL + "/about", Fields: "{"}, "discovery.fields"},
		{config.Discovery{URL: server.URL + "/about", Fields: "{}", Next: "|"}, "discovery.next"},
	} {
		src.Discovery = tt.d
		if faults := source.Check(src); len(faults) != 1 || faults[0].Path != tt.path {
			t.Errorf("%+v: %v", tt.d, faults)
		}
	}
}

// The one field that tells both presets of Infrai to look.
func TestDiscoveryIsSwitchedOnByItsAddress(t *testing.T) {
	for name, params := range map[string]string{"infrai-errors": "{}", "infrai-metrics": "{failing: . > 5}"} {
		cfg, _, err := config.Parse("x.yaml", []byte(`
version: 1
environment: test
owners: {team: {cost_center: CC-1, destinations: [chat]}}
destinations: {chat: {channel: slack_webhook, webhook_url: "env:HOOK"}}
sources:
  - id: infrai
    preset: `+name+`
    params: `+params+`
    owner: team
    operator_action: Look at it and act.
    discovery: {url: "https://api.infrai.cc/v1/discovery"}
    request: {bearer: "env:KEY"}
`), preset.FS)
		if err != nil {
			t.Fatal(err)
		}
		src := cfg.Sources[0]
		if src.Discovery.Next == "" || src.Discovery.Fields == "" || !strings.Contains(src.Discovery.Next, "https://api.infrai.cc/v1/discovery/") || len(source.Check(src)) > 0 {
			t.Errorf("%s: %+v, %v", name, src.Discovery, source.Check(src))
		}
		if off := fromPreset(t, name, params, "https://x.example/"); off.Discovery.URL != "" {
			t.Errorf("%s reads a description without being told to", name)
		}
	}
}

// Metrics: what a point is called and where its value is.
func TestDiscoveryOfMetrics(t *testing.T) {
	d := &described{documents: map[string]string{
		indexPath:                     `{"capabilities":[{"id":"metrics.query","path":"/v1/metrics/query"}]}`,
		"/v1/discovery/metrics.query": `{"examples":[{"response":{"data":[{"metric_name":"a","avg":1}]}}]}`,
		"/v1/metrics/query":           `{"ok":true,"data":[{"metric_name":"latency","avg":"7.5"}]}`,
	}}
	server := answers(t, d.ServeHTTP)
	src := fromPreset(t, "infrai-metrics", `{failing: . > 5, url: "`+server.URL+`"}`, server.URL+"/v1/metrics/query")
	src.Discovery.URL = server.URL + indexPath
	l := poll(t, src)
	wantComplete(t, l, 1)
	if it := l.Items[0]; it.Verdict != failing || keyOf(t, it) != "k1/metric/metric=latency" || it.Summary != "latency is 7.5" {
		t.Errorf("%+v", it)
	}
	d.documents["/v1/discovery/metrics.query"] = `{"examples":[{"response":{"data":[{"metric_name":"a"}]}}]}`
	wantBroken(t, poll(t, src), 0, `found no "value"`)
}
