package browsertest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// proxy is what the browser sees of the network.
type proxy struct {
	server *httptest.Server
	// host is the one that is passed on to.
	host string

	mu  sync.Mutex
	all []string
}

func startProxy(t *testing.T, page string) *proxy {
	t.Helper()
	u, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{host: u.Host}
	p.server = httptest.NewServer(p)
	t.Cleanup(p.server.Close)
	return p
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	address := r.URL.String()
	if r.Method == http.MethodConnect {
		address = "https://" + r.Host
	}
	if !own(r.Host) {
		p.note(address)
	}
	if r.Method == http.MethodConnect || r.URL.Host != p.host {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	out := r.Clone(r.Context())
	out.RequestURI = ""
	res, err := http.DefaultTransport.RoundTrip(out)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	for name, values := range res.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body)
}

// own reports what Chromium asks for by itself, whatever the page is: the time,
// updates, whether somebody is signed in.
func own(host string) bool {
	host, _, _ = strings.Cut(host, ":")
	return strings.HasSuffix(host, ".google.com") || strings.HasSuffix(host, ".googleapis.com") || strings.HasSuffix(host, ".gvt1.com")
}

func (p *proxy) note(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.all, address) {
		p.all = append(p.all, address)
	}
}

func (p *proxy) asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.all)
}
