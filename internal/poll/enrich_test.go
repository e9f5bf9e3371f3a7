package poll

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// detail returns details of every failure but one.
type detail struct {
	mu    sync.Mutex
	asked []string
}

func (d *detail) Enrich(_ context.Context, _ config.Source, have observation.Evidence) (observation.Evidence, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = append(d.asked, have.VendorID)
	if have.VendorID == "bad" {
		return have, errors.New("answered 500")
	}
	have.Deployment = "v1-" + have.VendorID
	return have, nil
}

// Only new failures are enriched. A failed request affects only the evidence, not the key
// or the verdict.
func TestOnlyNewFailuresAreEnriched(t *testing.T) {
	s := src(config.AbsentUnknown)
	s.Enrich = config.Enrich{URL: "https://x.example/{id}"}
	nameless := thing("nameless", observation.Failing)
	nameless.Evidence.VendorID = ""
	l := observation.Listing{Complete: true, Items: []observation.Item{
		thing("new", observation.Failing), thing("bad", observation.Failing), thing("open", observation.Failing), thing("fine", observation.Healthy), nameless,
	}}
	keys := watch([]string{"sentry"}, keyOf(t, "open"), keyOf(t, "fine"))
	plain := verdicts(observe(s, tick, l, keys).observations)
	got := observe(s, tick, l, keys)
	d := &detail{}
	if n := (&Poller{Enricher: d}).enrich(t.Context(), s, &got, keys); n != 2 {
		t.Errorf("asked %d times", n)
	}
	slices.Sort(d.asked)
	if fmt.Sprint(d.asked) != "[bad new]" {
		t.Errorf("asked about %v", d.asked)
	}
	for _, o := range got.observations {
		if want := map[string]string{"new": "v1-new"}[o.Evidence.VendorID]; o.Evidence.Deployment != want {
			t.Errorf("%s: deployment %q, want %q", o.IncidentKey, o.Evidence.Deployment, want)
		}
		if o.Enriched != (o.Evidence.VendorID == "new") {
			t.Errorf("%s: enriched %v", o.IncidentKey, o.Enriched)
		}
		if plain[o.IncidentKey] != o.Verdict {
			t.Errorf("%s became %s", o.IncidentKey, o.Verdict)
		}
	}
	if !got.complete || len(got.problems) != 1 || !strings.Contains(got.problems[0].What, "answered 500") {
		t.Errorf("complete %v, problems %v", got.complete, got.problems)
	}
}

func TestEnrichmentIsBounded(t *testing.T) {
	s := src(config.AbsentUnknown)
	s.Enrich = config.Enrich{URL: "https://x.example/{id}"}
	got := observe(s, tick, many(30, observation.Failing), nil)
	d := &detail{}
	if n := (&Poller{Enricher: d}).enrich(t.Context(), s, &got, nil); n != 10 || len(d.asked) != 10 || len(got.problems) != 1 {
		t.Errorf("asked %d times, problems %v", n, got.problems)
	}
	if n := (&Poller{}).enrich(t.Context(), s, &got, nil); n != 0 {
		t.Errorf("without an enricher: asked %d times", n)
	}
}
