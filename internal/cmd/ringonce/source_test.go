package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/source/preset"
)

func TestSourceListNamesEveryPreset(t *testing.T) {
	got := ringonce(nil, "source", "list")
	for _, name := range preset.Names() {
		if !strings.Contains(got.stdout, name+" ") {
			t.Errorf("preset %s is not listed", name)
		}
	}
	for _, want := range []string{"org (required): The organization's slug", "host (default us.sentry.io)", "Datadog's monitors by group: one incident for each host, service or whatever a multi-alert monitor splits its query by."} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("the list does not say %q:\n%s", want, got.stdout)
		}
	}
}

// jobs is a source's definition on a server that echoes what it is sent.
func jobs(t *testing.T) (file string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("page") == "2" {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		fmt.Fprintf(w, `{"jobs":[{"name":"import","state":"late","by":"jane@example.com","note":%q},{"name":"export","state":"done"},{"name":"other","state":"new"}],"next":%q}`,
			r.Header.Get("Authorization"), r.URL.Query().Get("more"))
	}))
	t.Cleanup(server.Close)
	t.Setenv("JOBS_TOKEN", "opensesame-0123")
	file = filepath.Join(t.TempDir(), "jobs.yaml")
	write(t, file, `preset: generic-json
params: {url: "`+server.URL+`/jobs", items: ".jobs[]", id: .name, failing: .state == "late", healthy: .state == "done"}
request: {bearer: "env:JOBS_TOKEN"}
pagination: {type: next_url, next: 'if .next == "" then null else .next end'}
map: {evidence: {samples: "[.by, .note]"}}
canary: {min_items: 1}
`)
	return file
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSourceTryShowsEverythingButSecrets(t *testing.T) {
	file, dir := jobs(t), t.TempDir()
	got := ringonce(nil, "source", "try", file, "--record", dir)
	if got.code != exitOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{
		"request  GET http://127.0.0.1:", "Authorization: Bearer {", "200 OK", "items    3; the whole answer was read",
		`failing  k1/alert/id=import`, `status "failing" is failing in map.verdicts`, `status "neither" is not in map.verdicts, so unknown`,
		"canary   3 items, at least 1 wanted", "a poll would write 1 observation", "recorded 1 page",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("it does not say %q:\n%s", want, got.stdout)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "page-001.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"opensesame", "jane@example.com"} {
		if strings.Contains(got.stdout, secret) || strings.Contains(string(page), secret) {
			t.Errorf("case C7: %q is in\n%s\n%s", secret, got.stdout, page)
		}
	}
	again := ringonce(nil, "source", "try", file, "--from", dir)
	if again.code != exitOK || !strings.Contains(again.stdout, "items    3; the whole answer was read") {
		t.Errorf("on what it recorded: %+v", again)
	}
}

// What is recorded of a list whose pages follow each other by the Link header plays
// back to its end.
func TestSourceTryPlaysLinkedPagesBack(t *testing.T) {
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := max(1, len(r.URL.Query().Get("cursor")))
		w.Header().Set("Link", fmt.Sprintf(`<%s/x?cursor=%s&token=hush>; rel="next"; results="%v"; cursor="x"`, server.URL, strings.Repeat("x", page+1), page < 3))
		fmt.Fprintf(w, `[{"id":"%d","status":"unresolved","title":"t","lastSeen":"2026-01-02T03:04:05Z"}]`, page)
	}))
	t.Cleanup(server.Close)
	file, dir := filepath.Join(t.TempDir(), "issues.yaml"), t.TempDir()
	definition := `preset: sentry
params: {org: example-org}
request: {url: "` + server.URL + `/api", bearer: "env:JOBS_TOKEN"}
`
	t.Setenv("JOBS_TOKEN", "opensesame-0123")
	write(t, file, definition)
	live := ringonce(nil, "source", "try", file, "--record", dir)
	if live.code != exitOK || !strings.Contains(live.stdout, "items    3; the whole answer was read") || !strings.Contains(live.stdout, "recorded 3 pages") {
		t.Fatalf("%+v", live)
	}
	link, err := os.ReadFile(filepath.Join(dir, "page-002.link"))
	if err != nil || strings.Contains(string(link), "hush") || strings.Contains(string(link), server.URL) {
		t.Errorf("the Link header is kept as %s, %v", link, err)
	}
	// Wherever the vendor is asked by then.
	write(t, file, strings.Replace(definition, server.URL, "https://sentry.example.com", 1))
	again := ringonce(nil, "source", "try", file, "--from", dir)
	if again.code != exitOK || !strings.Contains(again.stdout, "items    3; the whole answer was read") {
		t.Errorf("%+v", again)
	}
	// One page without its Link header is all that there is of its recording.
	write(t, file, "preset: generic-json\nparams: {url: \""+server.URL+"\", id: .id, failing: .status == \"unresolved\"}\n")
	if one := ringonce(nil, "source", "try", file, "--from", filepath.Join(dir, "page-001.json")); one.code != exitOK || !strings.Contains(one.stdout, "items    1; the whole answer was read") {
		t.Errorf("%+v", one)
	}
}

// A description that was read first is told apart from the list's pages, and plays
// back with them.
func TestSourceTryShowsTheDiscovery(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/about" {
			fmt.Fprint(w, `{"id":"name"}`)
			return
		}
		fmt.Fprint(w, `{"jobs":[{"name":"import","state":"late"}]}`)
	}))
	t.Cleanup(server.Close)
	file, dir := filepath.Join(t.TempDir(), "jobs.yaml"), t.TempDir()
	write(t, file, `preset: generic-json
params: {url: "`+server.URL+`/jobs", items: ".jobs[]", id: ".[$field.id]", failing: .state == "late"}
discovery: {url: "`+server.URL+`/about", fields: "{id: .id}"}
`)
	for _, args := range [][]string{{"--record", dir}, {"--from", dir}} {
		got := ringonce(nil, append([]string{"source", "try", file}, args...)...)
		for _, want := range []string{"request  GET " + server.URL + "/jobs\n", "answer 1  discovery, " + server.URL + "/about: 200 OK", "answer 2  " + server.URL + "/jobs: 200 OK", "failing  k1/alert/id=import"} {
			if got.code != exitOK || !strings.Contains(got.stdout, want) {
				t.Errorf("%v does not say %q: %+v", args, want, got)
			}
		}
	}
}

func TestSourceTryTellsAnAnswerThatIsNotWhole(t *testing.T) {
	file := jobs(t)
	data, _ := os.ReadFile(file)
	write(t, file, strings.Replace(string(data), "/jobs\"", "/jobs?more=/jobs%3Fpage=2\"", 1))
	write(t, file+".json", `{"jobs":[],"next":""}`)
	got := ringonce(nil, "source", "try", file, "--from", file+".json")
	if got.code != exitProblems || !strings.Contains(got.stdout, "NOT the whole answer") || !strings.Contains(got.stdout, "0 items, at least 1 wanted") {
		t.Errorf("case U5, the canary is missing: %+v", got)
	}
}

func TestSourceTryTakesASourceOfTheConfiguration(t *testing.T) {
	body := "../../../testdata/vendors/healthchecks/checks_readonly_key.json"
	got := ringonce(nil, "source", "try", "--config", example, "--from", body, "healthchecks-payments")
	if !strings.Contains(got.stdout, "failing  k1/heartbeat/check=3eef99308350327859c09f0f70d1e5921cbc0dc1") {
		t.Errorf("%+v", got)
	}
}

func TestSourceMistakes(t *testing.T) {
	dir := t.TempDir()
	wrong := filepath.Join(dir, "wrong.yaml")
	write(t, wrong, "preset: healthchecks\nabsnt: healthy\n")
	program := filepath.Join(dir, "program.yaml")
	write(t, program, "preset: healthchecks\nmap: {status: '.a |'}\n")
	for _, tt := range []struct {
		args []string
		code int
		says string
	}{
		{nil, exitUsage, "say list or try"},
		{[]string{"look"}, exitUsage, `"look" is neither list nor try`},
		{[]string{"list", "x"}, exitUsage, "one argument too many"},
		{[]string{"try"}, exitUsage, "say which source"},
		{[]string{"try", "--config", example, "nobody"}, exitProblems, "the sources of " + example + " are sentry-checkout"},
		{[]string{"try", "--config", example, "sentry-chekout"}, exitProblems, "ringonce source: there is neither a file \"sentry-chekout\" nor a source of that name (did you mean \"sentry-checkout\"?)"},
		{[]string{"try", example}, exitProblems, "is a whole configuration: give --config"},
		{[]string{"try", wrong}, exitProblems, wrong + `:2:1: unknown field "absnt"; did you mean "absent"?`},
		{[]string{"try", program}, exitProblems, "map.status: not a jq program"},
		{[]string{"try", "--config", example, "--from", dir + "/none", "healthchecks-payments"}, exitProblems, "read a recorded body"},
	} {
		got := ringonce(nil, append([]string{"source"}, tt.args...)...)
		if got.code != tt.code || !strings.Contains(got.stderr, tt.says) {
			t.Errorf("source %v: %+v, want code %d and %q", tt.args, got, tt.code, tt.says)
		}
	}
}
