package source_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// recorded reads a vendor's body from testdata/vendors.
func recorded(t testing.TB, path string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", "..", "testdata", "vendors", path))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// recordedItems reads a body that is a list.
func recordedItems(t testing.TB, path string) []map[string]any {
	t.Helper()
	var items []map[string]any
	if err := json.Unmarshal(recorded(t, path), &items); err != nil {
		t.Fatal(err)
	}
	return items
}

func asJSON(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// fromPreset builds a source as the configuration does: a preset, its
// parameters, and the address of a test server in place of the vendor's.
func fromPreset(t testing.TB, name, params, url string) config.Source {
	t.Helper()
	yaml := fmt.Sprintf(`
version: 1
environment: test
owners: {team: {cost_center: CC-1, destinations: [chat]}}
destinations: {chat: {channel: slack_webhook, webhook_url: "env:HOOK"}}
sources:
  - id: %s-1
    preset: %s
    params: %s
    owner: team
    operator_action: Look at it and act.
    request: {url: "%s"}
`, name, name, params, url)
	cfg, _, err := config.Parse("test.yaml", []byte(yaml), preset.FS)
	if err != nil {
		t.Fatal(err)
	}
	return cfg.Sources[0]
}

// plain is a small source without a preset; tests change what they are about.
func plain(url string) config.Source {
	return config.Source{
		ID: "my-api", Kind: "error", Stage: "test",
		Request: config.Request{URL: url},
		Map: config.Mapping{
			Items: ".[]", Status: ".state", Verdicts: map[string]string{"firing": "failing", "ok": "healthy"},
			Key:      []config.KeyPart{{Name: "service", Value: ".service", Type: "id"}},
			Summary:  ".title",
			Evidence: config.EvidenceMap{VendorID: ".id"},
		},
	}
}

// clock is a wall clock that only sleeping moves.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newClock() *clock { return &clock{now: time.Now()} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return ctx.Err()
}

// vault is a source of secrets that notes what it was told to forget.
type vault struct {
	values    map[string]string
	forgotten []string
}

func (v *vault) Resolve(_ context.Context, ref string) (string, error) {
	s, ok := v.values[ref]
	if !ok {
		return "", fmt.Errorf("secret %s: there is no such secret", ref)
	}
	return s, nil
}

func (v *vault) Invalidate(ref string) { v.forgotten = append(v.forgotten, ref) }

// options are a client's with a clock that does not wait, and no jitter.
func options(c *clock) source.Options {
	return source.Options{Now: c.Now, Sleep: c.Sleep, Jitter: func() float64 { return 0.5 }, Reserve: time.Second}
}

// poll fetches with a fresh client and half a minute to do so.
func poll(t testing.TB, src config.Source) observation.Listing {
	t.Helper()
	l, _ := pollFor(t, src, 30*time.Second)
	return l
}

func pollFor(t testing.TB, src config.Source, budget time.Duration) (observation.Listing, *clock) {
	t.Helper()
	c := newClock()
	ctx, cancel := context.WithDeadline(t.Context(), c.Now().Add(budget))
	defer cancel()
	return source.New(options(c)).Fetch(ctx, src), c
}

// answers serves one answer after the other, the last one for ever.
func answers(t testing.TB, list ...http.HandlerFunc) *httptest.Server {
	t.Helper()
	var mu sync.Mutex
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		h := list[min(n, len(list)-1)]
		n++
		mu.Unlock()
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// status answers with a code and headers, given as name, value, name, value.
func status(code int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
	}
}

func body(b []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(b)
	}
}

func text(s string) http.HandlerFunc { return body([]byte(s)) }

func keyOf(t testing.TB, it observation.Item) string {
	t.Helper()
	key, err := incident.Key(it.Kind, it.Parts)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// wantComplete fails unless the listing is whole and has n items.
func wantComplete(t testing.TB, l observation.Listing, n int) {
	t.Helper()
	if !l.Complete || len(l.Problems) != 0 || len(l.Items) != n {
		t.Fatalf("got complete=%v, %d items, problems %v; want a complete listing of %d", l.Complete, len(l.Items), l.Problems, n)
	}
}

// wantTold fails unless the listing is complete although its problems name every
// word: what is missing is only what a person reads.
func wantTold(t testing.TB, l observation.Listing, n int, words ...string) {
	t.Helper()
	if !l.Complete || len(l.Items) != n {
		t.Fatalf("got complete=%v with %d items, want a complete listing of %d; problems %v", l.Complete, len(l.Items), n, l.Problems)
	}
	wantWords(t, l, words)
}

// wantBroken fails unless the listing is incomplete, has n items, and its
// problems name every word.
func wantBroken(t testing.TB, l observation.Listing, n int, words ...string) {
	t.Helper()
	if l.Complete || len(l.Items) != n {
		t.Fatalf("got complete=%v with %d items, want an incomplete listing of %d; problems %v", l.Complete, len(l.Items), n, l.Problems)
	}
	wantWords(t, l, words)
}

func wantWords(t testing.TB, l observation.Listing, words []string) {
	t.Helper()
	all := fmt.Sprint(l.Problems)
	for _, w := range words {
		if !strings.Contains(all, w) {
			t.Errorf("problems %q do not say %q", all, w)
		}
	}
}
