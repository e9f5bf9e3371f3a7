package source_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/redact"
	"github.com/ringonce/ringonce/internal/source"
)

// Secrets of these tests; none is part of another.
const (
	token    = "tok-3f9c1d77aa"
	apiKey   = "key-5b1e88c2"
	password = "pass-word-17"
)

func newVault() *vault {
	return &vault{values: map[string]string{"ssm:/ringonce/token": token, "env:KEY": apiKey, "file:/pw": password}}
}

func fetchWith(t *testing.T, v *vault, src config.Source, change func(*source.Options)) observation.Listing {
	t.Helper()
	c := newClock()
	opts := options(c)
	if v != nil {
		opts.Secrets = v
	}
	if change != nil {
		change(&opts)
	}
	ctx, cancel := context.WithDeadline(t.Context(), c.Now().Add(30*time.Second))
	defer cancel()
	return source.New(opts).Fetch(ctx, src)
}

func TestRequestCarriesWhatIsConfigured(t *testing.T) {
	var got *http.Request
	var sent []byte
	server := answers(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		sent, _ = io.ReadAll(r.Body)
		text("[]")(w, r)
	})
	src := plain(server.URL + "/list?fixed=1")
	src.Request.Method, src.Request.Body = "POST", `{"q":1}`
	src.Request.Query = map[string]string{"a": "b c"}
	src.Request.Headers = map[string]string{"X-Key": "env:KEY", "X-Region": "eu"}
	src.Request.Bearer = "ssm:/ringonce/token"
	wantComplete(t, fetchWith(t, newVault(), src, nil), 0)
	for name, want := range map[string]string{
		"Authorization": "Bearer " + token, "X-Key": apiKey, "X-Region": "eu",
		"User-Agent": "ringonce", "Accept": "application/json", "Content-Type": "application/json", "Accept-Encoding": "gzip",
	} {
		if h := got.Header.Get(name); h != want {
			t.Errorf("%s: %q, want %q", name, h, want)
		}
	}
	if got.Method != "POST" || string(sent) != `{"q":1}` || got.URL.RequestURI() != "/list?a=b+c&fixed=1" {
		t.Errorf("sent %s %s %q", got.Method, got.URL.RequestURI(), sent)
	}
	src.Request.Bearer, src.Request.BasicUser, src.Request.BasicPassword = "", "app", "file:/pw"
	wantComplete(t, fetchWith(t, newVault(), src, nil), 0)
	if user, pw, ok := got.BasicAuth(); !ok || user != "app" || pw != password {
		t.Errorf("basic authentication %q %q", user, pw)
	}
}

func TestSecretThatCannotBeRead(t *testing.T) {
	server := answers(t, func(http.ResponseWriter, *http.Request) { t.Error("asked without the secret") })
	src := plain(server.URL)
	src.Request.Bearer = "ssm:/missing"
	wantBroken(t, fetchWith(t, newVault(), src, nil), 0, "bearer", "ssm:/missing", "no such secret")
	if l := fetchWith(t, newVault(), src, nil); strings.Count(l.Problems[0].String(), "ssm:/missing") != 1 {
		t.Errorf("the reference is not named once: %v", l.Problems)
	}
	wantBroken(t, fetchWith(t, nil, src, nil), 0, "no secrets can be read here")
	v := newVault()
	v.values["ssm:/missing"] = ""
	wantBroken(t, fetchWith(t, v, src, nil), 0, "ssm:/missing is empty")
	v.values["ssm:/missing"] = "a\nb"
	wantBroken(t, fetchWith(t, v, src, nil), 0, "line break")
}

func TestRefusedCredentialsAreForgotten(t *testing.T) {
	for _, code := range []int{401, 403} {
		v := newVault()
		src := plain(answers(t, status(code)).URL)
		src.Request.Headers = map[string]string{"X-Key": "env:KEY"}
		src.Request.Bearer = "ssm:/ringonce/token"
		wantBroken(t, fetchWith(t, v, src, nil), 0, "env:KEY", "ssm:/ringonce/token")
		slices.Sort(v.forgotten)
		if !slices.Equal(v.forgotten, []string{"env:KEY", "ssm:/ringonce/token"}) {
			t.Errorf("%d: forgot %q", code, v.forgotten)
		}
	}
	v := newVault()
	src := plain(answers(t, status(500)).URL)
	src.Request.Bearer = "ssm:/ringonce/token"
	fetchWith(t, v, src, nil)
	if len(v.forgotten) != 0 {
		t.Errorf("500: forgot %q", v.forgotten)
	}
}

// unknownHost fails as a look-up of a name that nobody has does.
func unknownHost(_ context.Context, network, addr string) (net.Conn, error) {
	return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: addr, IsNotFound: true}}
}

// nobodyListens fails as a connection to a port that nobody listens on does. A port
// that a server has just closed is no such port: the next server may get it.
func nobodyListens(_ context.Context, network, _ string) (net.Conn, error) {
	return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
}

// case C7: no token in any problem or item, however the vendor fails, and the
// host's name is there.
func TestNoTokenLeaves(t *testing.T) {
	secure := httptest.NewUnstartedServer(text("[]"))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect to another host was followed") }))
	defer elsewhere.Close()
	echo := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(code)
			_, _ = fmt.Fprintf(w, `{"error":"no such thing for %s and %s"}`, r.Header.Get("Authorization"), r.Header.Get("X-Key"))
		}
	}
	echoItem := func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `[{"id":"%[1]s","service":"s","state":"%[1]s","title":"used %[1]s and %[2]s","url":"https://x.example/%[1]s"}, {"id":"%[1]s"}, "%[1]s"]`, r.Header.Get("Authorization"), r.Header.Get("X-Key"))
	}
	for _, tt := range []struct {
		name, url string
		items     int
		want      string
	}{
		{"DNS failure", "https://vendor.invalid", 0, "vendor.invalid could not be read: dns failure"},
		{"connection refused", "https://vendor.invalid", 0, "connection refused"},
		{"timeout", answers(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }).URL, 0, "timeout"},
		{"TLS failure", secure.URL, 0, "tls failure: the certificate is not trusted"},
		{"TLS on a plain port", strings.Replace(elsewhere.URL, "http:", "https:", 1), 0, "tls failure"},
		{"redirect to another host", answers(t, status(302, "Location", elsewhere.URL+"/?t="+token)).URL, 0, "redirects to " + elsewhere.URL},
		{"redirect to a host named like the token", answers(t, status(307, "Location", "https://"+token+".example/")).URL, 0, "redirects to https://{secret}.example"},
		{"echoing 404", answers(t, echo(404)).URL, 0, "404 Not Found"},
		{"echoing 401", answers(t, echo(401)).URL, 0, "401"},
		{"echoing 200", answers(t, echo(200)).URL, 0, "map.items"},
		{"echoing items", answers(t, echoItem).URL, 1, "page 1 item 2"},
		{"echoing page", answers(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Header.Get("Authorization")) }).URL, 0, "not JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := plain(tt.url + "/hook")
			src.Request.Bearer = "ssm:/ringonce/token"
			src.Request.Headers = map[string]string{"X-Key": "env:KEY"}
			src.Request.Timeout = 2 * time.Second
			if tt.name == "timeout" {
				src.Request.Timeout = 50 * time.Millisecond
			}
			src.Map.Evidence.Link, src.Map.Evidence.Samples = ".url", ".title"
			l := fetchWith(t, newVault(), src, func(o *source.Options) {
				switch tt.name {
				case "DNS failure":
					o.Transport = &http.Transport{DialContext: unknownHost}
				case "connection refused":
					o.Transport = &http.Transport{DialContext: nobodyListens}
				}
			})
			wantBroken(t, l, tt.items, tt.want)
			wantNone(t, l, token, apiKey)
			if strings.HasPrefix(tt.name, "TLS") && l.Requests != 1 {
				t.Errorf("%d requests to a host that cannot be trusted", l.Requests)
			}
		})
	}
}

// wantNone fails when a secret is anywhere in a listing.
func wantNone(t *testing.T, l observation.Listing, secrets ...string) {
	t.Helper()
	s := fmt.Sprintf("%+v", l)
	for _, secret := range secrets {
		if strings.Contains(s, secret) {
			t.Errorf("%s is in %s", secret, s)
		}
	}
}

// A secret that stands in the configuration itself, or that is sent in another
// form, is kept back as well.
func TestLiteralAndBasicSecretsDoNotLeave(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `[{"service":"s","state":"ok","title":%q}]`, "I got "+strings.Fields(r.Header.Get("Authorization"))[1])
	}
	src := plain(answers(t, echo).URL)
	src.Request.Bearer = "opensesame"
	l := fetchWith(t, newVault(), src, nil)
	wantComplete(t, l, 1)
	wantNone(t, l, "opensesame")
	src.Request.Bearer, src.Request.BasicUser, src.Request.BasicPassword = "", "app", "file:/pw"
	l = fetchWith(t, newVault(), src, nil)
	wantComplete(t, l, 1)
	wantNone(t, l, base64.StdEncoding.EncodeToString([]byte("app:"+password)))
}

func TestRedirects(t *testing.T) {
	same := answers(t, status(302, "Location", "/moved"), text(listOf("1")))
	wantComplete(t, poll(t, plain(same.URL)), 1)
	wantBroken(t, poll(t, plain(answers(t, status(302, "Location", "/round")).URL)), 0, "circle")
	wantBroken(t, poll(t, plain(answers(t, status(302)).URL)), 0, "302")
	for _, to := range []string{"http://169.254.169.254/latest/", "//elsewhere.example/", "http://a:b@elsewhere.example/", "file:///etc/passwd", "https://127.0.0.1/", "http://127.0.0.1/"} {
		l := poll(t, plain(answers(t, status(302, "Location", to)).URL))
		if wantBroken(t, l, 0, "302", "not followed"); l.Requests != 1 {
			t.Errorf("%s: %d requests", to, l.Requests)
		}
	}
	src := plain(answers(t, status(302, "Location", "/moved"), text("[]")).URL)
	src.Request.Method = "POST"
	wantBroken(t, poll(t, src), 0, "not a GET")
}

func TestTextsLeaveRedacted(t *testing.T) {
	own, err := redact.New(`CUST-\d+`)
	if err != nil {
		t.Fatal(err)
	}
	src := plain(answers(t, text(`[{"id":"a@b.example","service":"s","state":"firing","title":"for jane@example.com, CUST-9",
		"url":"https://u:p@x.example/i/1?api_key=abc&tab=2","env":"mail x@y.example","build":"CUST-1","trace":"Bearer 0123456789abcdef",
		"samples":["card 4111111111111111", null, "plain"]}]`)).URL)
	src.Map.Verdicts = map[string]string{"firing": "failing"}
	src.Map.Evidence = config.EvidenceMap{
		VendorID: ".id", Link: ".url", Stage: ".env", Deployment: ".build", CorrelationID: ".trace", Samples: ".samples",
	}
	l := fetchWith(t, nil, src, func(o *source.Options) { o.Redact = own })
	wantComplete(t, l, 1)
	got := fmt.Sprintf("%s|%+v", l.Items[0].Summary, l.Items[0].Evidence)
	for _, want := range []string{
		"for {email}, {redacted}|", "https://x.example/i/1?api_key=redacted&tab=2", "VendorID:{email}", "Stage:mail {email}",
		"Deployment:{redacted}", "CorrelationID:Bearer {token}", "[card {card} plain]",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %q", got, want)
		}
	}
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

func TestGzip(t *testing.T) {
	zipped := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, s)
			_ = z.Close()
		}
	}
	wantComplete(t, poll(t, plain(answers(t, zipped(listOf("1"))).URL)), 1)
	for name, broken := range map[string]func([]byte) []byte{
		"cut off":           func(z []byte) []byte { return z[:len(z)-6] },
		"a wrong sum":       func(z []byte) []byte { z[len(z)-8] ^= 1; return z },
		"rubbish behind":    func(z []byte) []byte { return append(z, "rubbish rubbish"...) },
		"not packed":        func([]byte) []byte { return []byte("[]") },
		"nothing at all":    func([]byte) []byte { return nil },
		"packed for two":    func(z []byte) []byte { return gzipped(z) },
		"two after another": func(z []byte) []byte { return append(z, z...) },
	} {
		src := plain(answers(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(broken(gzipped([]byte("[]"))))
		}).URL)
		if l := poll(t, src); l.Complete || len(l.Problems) != 1 {
			t.Errorf("%s: %+v", name, l)
		}
	}
	// The bound holds for what comes out, not for what is sent.
	src := plain(answers(t, zipped("["+strings.Repeat(" ", 1<<20)+"]")).URL)
	src.Pagination.MaxBytes = 100 << 10
	wantBroken(t, poll(t, src), 0, "more than the 102400 bytes")
}
