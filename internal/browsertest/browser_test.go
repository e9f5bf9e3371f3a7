//go:build browser

package browsertest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func serve(t *testing.T, page string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/page"
}

// TestAttacksWork is what makes the other tests mean something: taken for markup,
// every attack runs a script or loads something, and is seen to.
func TestAttacksWork(t *testing.T) {
	for i, attack := range append(slices.Clone(Attacks), Leaving) {
		if strings.HasPrefix(attack, "{{") || strings.HasPrefix(attack, `" on`) {
			continue // for template engines and attributes, of which this page has none
		}
		v := Open(t, serve(t, `<!doctype html><title>still</title><p title="`+attack+`">`))
		ran := strings.Contains(v.DOM, "<title>"+Mark)
		loaded := slices.ContainsFunc(v.Asked, func(a string) bool { return strings.HasPrefix(a, Elsewhere) })
		if !ran && !loaded {
			t.Errorf("attack %d does nothing:\n%s\nasked for %v\n%.500s", i, attack, v.Asked, v.DOM)
		}
	}
}

// TestAHarmlessPageIsStill: a page that does nothing is seen to do nothing.
func TestAHarmlessPageIsStill(t *testing.T) {
	url := serve(t, `<!doctype html><title>still</title><link rel="icon" href="data:,"><p>hello`)
	v := Open(t, url)
	AssertStill(t, v, url)
	if !strings.Contains(v.DOM, "hello") {
		t.Errorf("the page is %q", v.DOM)
	}
}
