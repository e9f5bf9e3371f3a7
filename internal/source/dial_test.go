package source

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
)

func TestPermitted(t *testing.T) {
	const fine, private, meta = "", "private network", "metadata service"
	for _, tt := range []struct{ host, address, strict, allowed string }{
		{"api.example.com", "93.184.216.34:443", fine, fine},
		{"api.example.com", "[2606:2800:220:1::1]:443", fine, fine},
		{"api.example.com", "10.1.2.3:443", private, fine},
		{"api.example.com", "172.31.0.1:443", private, fine},
		{"api.example.com", "192.168.0.1:443", private, fine},
		{"api.example.com", "100.64.0.1:443", private, fine},
		{"api.example.com", "0.0.0.0:443", private, fine},
		{"api.example.com", "127.0.0.1:9001", private, fine},
		{"127.0.0.1", "127.0.0.1:80", fine, fine},
		{"localhost", "[::1]:80", fine, fine},
		{"localhost", "10.0.0.1:80", private, fine},
		{"api.example.com", "[fe80::1%eth0]:443", private, fine},
		{"api.example.com", "[fd12::1]:443", private, fine},
		{"api.example.com", "[::ffff:10.0.0.1]:443", private, fine},
		{"api.example.com", "[64:ff9b::a00:1]:443", private, fine},
		{"api.example.com", "169.254.1.1:80", private, fine},
		{"api.example.com", "169.254.169.254:80", meta, meta},
		{"169.254.169.254", "169.254.169.254:80", meta, meta},
		{"api.example.com", "[::ffff:169.254.169.254]:80", meta, meta},
		{"api.example.com", "[fd00:ec2::254]:80", meta, meta},
		{"api.example.com", "169.254.170.2:80", meta, meta},
		{"api.example.com", "[64:ff9b::a9fe:a9fe]:80", meta, meta},
		{"api.example.com", "[2002:a9fe:a9fe::1]:80", meta, meta},
		{"api.example.com", "[2002:a00:1::1]:443", private, fine},
		{"api.example.com", "[2002:5db8:d822::1]:443", fine, fine},
		{"api.example.com", "[64:ff9b:1::5db8:d822]:443", private, fine},
		{"api.example.com", "[fd20:ce::254]:80", meta, meta},
	} {
		for allowed, want := range map[bool]string{false: tt.strict, true: tt.allowed} {
			err := checkAddress(tt.host, tt.address, allowed)
			if (err == nil) != (want == "") || (err != nil && !strings.Contains(err.Error(), want)) {
				t.Errorf("%s at %s, private allowed %v: %v, want %q", tt.host, tt.address, allowed, err, want)
			}
		}
	}
}

// ask sends one request as a fetch does.
func ask(t *testing.T, c *Client, allowed bool, address string) error {
	t.Helper()
	f := &fetch{client: c, src: config.Source{Request: config.Request{AllowPrivate: allowed}}}
	f.auth.header = http.Header{}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := f.send(t.Context(), u)
	if err != nil {
		if why := f.networkFailure(u, err).Error(); errors.Is(err, errPrivate) && !strings.Contains(why, "allow_private") {
			t.Errorf("the refusal says %q", why)
		}
		return err
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.Body.Close()
}

// An address inside is refused when it is connected to, whatever the
// configuration could see of it. 0.0.0.0 leads to this machine without being
// its loopback address.
func TestAddressInside(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[]")) }))
	defer server.Close()
	inside := strings.Replace(server.URL, "127.0.0.1", "0.0.0.0", 1)
	client := New(Options{})
	if err := ask(t, client, false, inside); !errors.Is(err, errPrivate) {
		t.Errorf("refused: %v", err)
	}
	if err := ask(t, client, true, inside); err != nil {
		t.Errorf("allowed: %v", err)
	}
	// The connection that is open now serves only those who may use it.
	if err := ask(t, client, false, inside); !errors.Is(err, errPrivate) {
		t.Errorf("refused again: %v", err)
	}
	if err := ask(t, client, false, server.URL); err != nil {
		t.Errorf("loopback that says so: %v", err)
	}
}

// A host in other letters is connected to under its ASCII name, which is the same
// host, not a proxy: ０。０.0.0 is 0.0.0.0.
func TestAddressInsideInOtherLetters(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[]")) }))
	defer server.Close()
	for _, host := range []string{"0。0.0.0", "０.0.0.0"} {
		if err := ask(t, New(Options{}), false, strings.Replace(server.URL, "127.0.0.1", host, 1)); !errors.Is(err, errPrivate) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if err := ask(t, New(Options{}), true, "http://１69.254.169.254/"); !errors.Is(err, errMetadata) {
		t.Errorf("a metadata service: %v", err)
	}
}

// A proxy may stand inside: it is not the host that the request is for.
func TestProxyInsideIsUsed(t *testing.T) {
	via := ""
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		via = r.URL.String()
		_, _ = w.Write([]byte("[]"))
	}))
	defer proxy.Close()
	u, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := newTransport(guardedDial(false))
	transport.Proxy = http.ProxyURL(u)
	client := &Client{public: &http.Client{Transport: transport}}
	if err := ask(t, client, false, "http://api.example.com/list"); err != nil {
		t.Fatal(err)
	}
	if via != "http://api.example.com/list" {
		t.Errorf("the proxy was asked for %q", via)
	}
}
