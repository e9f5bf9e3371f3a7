package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/pages"
	"github.com/ringonce/ringonce/internal/silence"
)

func TestALinkFromAMessageShowsItsEpisode(t *testing.T) {
	w := newWorld(t)
	for episode, want := range map[int]struct{ opened, title, standing, not string }{
		1: {"12:03", "<h1>Payment fails</h1>", "resolved at 2026-01-02 12:05 UTC, episode 1", "Refunds fail|episode 2|OPEN 2"},
		2: {"12:06", "<h1>Refunds fail</h1>", "open since 2026-01-02 12:06 UTC, episode 2", "Payment fails|RESOLVE 1"},
	} {
		res := w.ask(get(w.path(episode)))
		if res.StatusCode != http.StatusOK || !strings.Contains(res.Body, want.title) || !strings.Contains(res.Body, want.standing) || !strings.Contains(res.Body, key) {
			t.Fatalf("episode %d: %d %s", episode, res.StatusCode, res.Body)
		}
		if rows := regexp.MustCompile(`<tr class="act"><td>([0-9:]+)`).FindStringSubmatch(res.Body); rows == nil || rows[1] != want.opened {
			t.Errorf("episode %d begins with %v, want %s", episode, rows, want.opened)
		}
		if other := regexp.MustCompile(want.not).FindString(res.Body); other != "" {
			t.Errorf("the page of episode %d tells of another: %s", episode, other)
		}
		if strings.Contains(res.Body, secret) || strings.Contains(res.Body, "/i/") {
			t.Error("the page holds the secret or a link to itself")
		}
	}
	head := get(w.path(1))
	head.RequestContext.HTTP.Method = http.MethodHead
	if res := w.ask(head); res.StatusCode != http.StatusOK || res.Body != "" || res.Headers["Content-Security-Policy"] == "" {
		t.Errorf("HEAD: %+v", res)
	}
}

// TestWhatDoesNotVerifyIsOneAnswer: whatever is wrong with a request, it gets the
// same bytes, so that nobody learns what is there.
func TestWhatDoesNotVerifyIsOneAnswer(t *testing.T) {
	w := newWorld(t)
	good := w.path(1)
	claim, sum, _ := strings.Cut(good, ".")
	said := func(text string) string {
		return "/i/" + base64.RawURLEncoding.EncodeToString([]byte(text)) + "." + sum
	}
	text, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(claim, "/i/"))
	if err != nil {
		t.Fatal(err)
	}
	with := func(change func(*request)) request {
		r := get(good)
		change(&r)
		return r
	}
	_, otherSum, _ := strings.Cut(w.path(2), ".")
	stranger := &pages.Linker{Secret: "x", ValidFor: time.Hour, Secrets: held("another-secret-of-its-own"), Now: func() time.Time { return noon }}
	none := w.ask(get("/"))
	if none.StatusCode != http.StatusNotFound || none.Body == "" {
		t.Fatalf("nothing: %+v", none)
	}
	for name, r := range map[string]request{
		"another key":                 get(said(strings.Replace(string(text), "issue=42", "issue=43", 1))),
		"another episode":             get(said(strings.Replace(string(text), " 1 ", " 2 ", 1))),
		"another episode's signature": get(claim + "." + otherSum),
		"a stranger's signature":      get(stranger.Link(t.Context(), key, 1)),
		"no signature":                get(claim),
		"a listing":                   get("/i/"),
		"the top":                     get("/"),
		"an index":                    get("/index.html"),
		"a robots.txt":                get("/robots.txt"),
		"huge":                        get("/i/" + strings.Repeat("A", 5<<20)),
		"a quoted path":               get("/i/%" + "2e" + good[3:]),
		"a path that goes up":         get("/i/../.." + good),
		"a doubled slash":             get("/" + good),
		"an end of a string":          get(good + "\x00"),
		"a parameter":                 with(func(r *request) { r.RawQueryString = "a=1" }),
		"a parameter twice":           with(func(r *request) { r.RawQueryString = "k=1&k=2" }),
		"the path in a parameter":     {RawPath: "/", RawQueryString: "path=" + good},
		"the method in a header": with(func(r *request) {
			r.RequestContext.HTTP.Method = "POST"
			r.Headers = map[string]string{"x-http-method-override": "GET"}
		}),
		"the path in a header":         {RawPath: "/", Headers: map[string]string{"x-original-url": good, "x-rewrite-url": good, "x-forwarded-prefix": good}},
		"the path in a body":           {RawPath: "/", Body: good},
		"the path in the context only": with(func(r *request) { r.RawPath = "/" }),
		"POST":                         with(func(r *request) { r.RequestContext.HTTP.Method = "POST" }),
		"PUT":                          with(func(r *request) { r.RequestContext.HTTP.Method = "PUT" }),
		"OPTIONS":                      with(func(r *request) { r.RequestContext.HTTP.Method = "OPTIONS" }),
		"lower case":                   with(func(r *request) { r.RequestContext.HTTP.Method = "get" }),
		"no method":                    with(func(r *request) { r.RequestContext.HTTP.Method = "" }),
	} {
		if res := w.ask(r); res.StatusCode != none.StatusCode || res.Body != none.Body || !maps.Equal(res.Headers, none.Headers) {
			t.Errorf("%s: %d, and not the same answer:\n%.300s", name, res.StatusCode, res.Body)
		}
	}
	w.now = noon.Add(24 * time.Hour)
	if res := w.ask(get(good)); res.StatusCode != http.StatusNotFound || res.Body != none.Body {
		t.Errorf("expired: %+v", res)
	}
	w.now = noon
	for name, value := range map[string]string{"host": "evil.example.com", "x-forwarded-host": "evil.example.com", "cookie": "a=b", "accept": "application/json", "range": "bytes=0-1"} {
		r := get(good)
		r.Headers = map[string]string{name: value}
		if res := w.ask(r); res.StatusCode != http.StatusOK || strings.Contains(res.Body, "evil") {
			t.Errorf("with the header %s: %d", name, res.StatusCode)
		}
	}
	assertNoLink(t, w, sum)
}

// assertNoLink: who reads the log shall not see pages by it.
func assertNoLink(t *testing.T, w *world, signature string) {
	t.Helper()
	log := w.log.String()
	if !strings.Contains(log, `"incident_key":"`+key+`"`) {
		t.Error("the log does not say what was shown")
	}
	if strings.Contains(log, signature) || strings.Contains(log, "/i/") {
		t.Errorf("a link is in the log:\n%.2000s", log)
	}
}

func TestAPageRunsAndLoadsNothing(t *testing.T) {
	w := newWorld(t)
	res := w.ask(get(w.path(1)))
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Content-Type": "text/html; charset=utf-8",
	} {
		if res.Headers[name] != want {
			t.Errorf("%s is %q, want %q", name, res.Headers[name], want)
		}
	}
	if robots := res.Headers["X-Robots-Tag"]; !strings.Contains(robots, "noindex") {
		t.Errorf("robots are told %q", robots)
	}
	policy := res.Headers["Content-Security-Policy"]
	for _, want := range []string{"default-src 'none'", "style-src 'sha256-", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q lacks %s", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "script-src") || strings.Contains(res.Body, " style=") || strings.Contains(res.Body, "<script") {
		t.Errorf("the policy is not strict, or the page not fit for it: %s", policy)
	}
	if len(res.Cookies) > 0 {
		t.Errorf("cookies %v", res.Cookies)
	}
}

// An incident of which nothing is stored is no page, however well its link is
// signed; a store that fails is an error, which Lambda answers without a word.
func TestWhatIsNotThereIsNotShown(t *testing.T) {
	w := newWorld(t)
	path := w.path(1)
	w.store = memory.New()
	if res := w.ask(get(path)); res.StatusCode != http.StatusNotFound || res.Body != notFound {
		t.Errorf("nothing stored: %+v", res)
	}
	w.store.SetHook(func(context.Context, memory.Call) error { return errors.New("no such table") })
	event, err := json.Marshal(get(path))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.invoke(t.Context(), event); err == nil || strings.Contains(err.Error(), path) {
		t.Errorf("a store that fails: %v", err)
	}
	h := handler{slog.New(slog.DiscardHandler), &pages.Checker{Secret: "ssm:/page", Secrets: held("short"), Now: func() time.Time { return noon }}, &explain.Explainer{}, func() time.Time { return noon }, nil}
	for _, p := range []string{path, "/"} {
		if _, err := h.handle(t.Context(), get(p)); err == nil || strings.Contains(err.Error(), p+".") {
			t.Errorf("a secret that will not do: %v", err)
		}
	}
}

// A page that a function could not answer with is not tried.
func TestAPageThatIsTooLong(t *testing.T) {
	if page := strings.Repeat("x", maxPage); fitting(page) != page || fitting(page+"x") != tooLong {
		t.Error("the limit is elsewhere")
	}
}

// Who wonders that nobody was told reads by whose word, and why.
func TestAPageSaysWhyASilenceWasMade(t *testing.T) {
	w := newWorldOf(t, []observation.Observation{seen(0, observation.Failing)}, silence.Silence{
		ID: "s-1", Match: silence.Match{Key: "*"}, Until: noon.Add(time.Hour), Reason: "moving the <data> base", Author: "alice",
	})
	res := w.ask(get(w.path(1)))
	if want := "Silence s-1 (moving the &lt;data&gt; base; alice) kept back 2 messages."; !strings.Contains(res.Body, want) {
		t.Errorf("%d, not %q: %s", res.StatusCode, want, res.Body)
	}
}
