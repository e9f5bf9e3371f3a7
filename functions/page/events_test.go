package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/local/functionurl"
	"github.com/ringonce/ringonce/internal/pages"
)

var update = flag.Bool("update", false, "write the recorded events anew")

const recorded = "../../events/page/"

// recordings are the events in events/page, each with the status that it is
// answered with where the incident is stored. Their links are valid until 2100.
func recordings(t *testing.T) map[string]struct {
	request *http.Request
	status  int
} {
	t.Helper()
	l := &pages.Linker{
		Secret: "ssm:/page", Secrets: held(secret), Now: func() time.Time { return noon },
		ValidFor: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Sub(noon),
	}
	good, other := l.Link(t.Context(), key, 1), l.Link(t.Context(), key, 2)
	claim, _, _ := strings.Cut(good, ".")
	_, signature, _ := strings.Cut(other, ".")
	l.ValidFor = -time.Minute
	expired := l.Link(t.Context(), key, 1)
	tricked := ask(http.MethodPost, "/?path="+good)
	tricked.Header.Set("X-HTTP-Method-Override", http.MethodGet)
	tricked.Header.Set("X-Original-URL", good)
	tricked.Header.Set("X-Forwarded-Host", "evil.example.com")
	return map[string]struct {
		request *http.Request
		status  int
	}{
		"open":          {ask(http.MethodGet, good), http.StatusOK},
		"head":          {ask(http.MethodHead, good), http.StatusOK},
		"expired":       {ask(http.MethodGet, expired), http.StatusNotFound},
		"other-episode": {ask(http.MethodGet, claim+"."+signature), http.StatusNotFound},
		"parameters":    {ask(http.MethodGet, good+"?k=1&k=2"), http.StatusNotFound},
		"post":          {ask(http.MethodPost, good), http.StatusNotFound},
		"tricks":        {tricked, http.StatusNotFound},
		"listing":       {ask(http.MethodGet, "/i/"), http.StatusNotFound},
	}
}

func ask(method, target string) *http.Request {
	r := httptest.NewRequest(method, target, nil)
	r.Host = "abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-central-1.on.aws"
	r.Header.Set("User-Agent", "Mozilla/5.0")
	return r
}

func TestRecordedEvents(t *testing.T) {
	all := recordings(t)
	files, err := filepath.Glob(recorded + "*.json")
	if err != nil || (len(files) != len(all) && !*update) {
		t.Fatalf("%d files, want %d (%v)", len(files), len(all), err)
	}
	for name, c := range all {
		want, err := json.MarshalIndent(functionurl.Event(c.request, nil, noon), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, '\n')
		if *update {
			if err := os.WriteFile(recorded+name+".json", want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		event, err := os.ReadFile(recorded + name + ".json")
		if err != nil || !bytes.Equal(event, want) {
			t.Errorf("%s is not the event of its request; run the test with -update (%v)", name, err)
		}
		answer, err := newWorld(t).invoke(t.Context(), event)
		if err != nil {
			t.Fatal(err)
		}
		var res response
		if err := json.Unmarshal(answer, &res); err != nil || res.StatusCode != c.status {
			t.Errorf("%s is answered with %d, want %d (%v)", name, res.StatusCode, c.status, err)
		}
	}
}
