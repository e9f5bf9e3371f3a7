package source_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/source"
)

func TestEnrich(t *testing.T) {
	var path, token string
	server := answers(t, func(w http.ResponseWriter, r *http.Request) {
		path, token = r.URL.EscapedPath(), r.Header.Get("Authorization")
		switch {
		case strings.HasPrefix(path, "/events/gone"):
			w.WriteHeader(http.StatusInternalServerError)
		case strings.HasPrefix(path, "/events/odd"):
			text(`{"release":[],"text":"jane@example.com"}`)(w, r)
		default:
			text(`{"release":"v42","trace":"t-1","seen":1760000000,"text":["failed for jane@example.com"]}`)(w, r)
		}
	})
	src := plain(server.URL + "/list")
	src.Request.Bearer = "env:TOKEN"
	src.Enrich = config.Enrich{URL: server.URL + "/events/{id}/latest", Evidence: config.EvidenceMap{
		Deployment: ".release", CorrelationID: ".trace", LastSeen: ".seen", Samples: ".text", Count: ".none",
	}}
	opts := options(newClock())
	opts.Secrets = &vault{values: map[string]string{"env:TOKEN": "opensesame"}}
	client := source.New(opts)
	have := observation.Evidence{VendorID: "a/../b", Count: 7, Link: "https://x.example/", Stage: "prod", Samples: []string{"old"}}
	got, err := client.Enrich(t.Context(), src, have)
	if err != nil {
		t.Fatal(err)
	}
	want := have
	want.Deployment, want.CorrelationID, want.LastSeen, want.Samples = "v42", "t-1", when("2025-10-09T08:53:20Z"), []string{"failed for {email}"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if path != "/events/a%2F..%2Fb/latest" || token != "Bearer opensesame" {
		t.Errorf("asked for %s with %s", path, token)
	}
	for id, says := range map[string]string{"gone": "500", "odd": "enrich.evidence.deployment: gave an array"} {
		have.VendorID = id
		got, err := client.Enrich(t.Context(), src, have)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "jane@") || !cmp.Equal(have, got) {
			t.Errorf("%s: %v, %+v", id, err, got)
		}
	}
	src.Enrich.URL = "https://elsewhere.example/{id}"
	if _, err := client.Enrich(t.Context(), src, have); err == nil || !strings.Contains(err.Error(), "not on the host") {
		t.Errorf("another host: %v", err)
	}
}
