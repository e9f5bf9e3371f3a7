package source

import (
	"crypto/tls"
	"net/http"
	"time"
)

// newTransport never runs without a limit on any step, verifies certificates,
// and unpacks gzip by itself.
func newTransport(dial dialer) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dial,
		TLSHandshakeTimeout:    5 * time.Second,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

// maxRedirects is how often one request may be sent elsewhere on its own host.
const maxRedirects = 3

// stayOnHost lets a GET be redirected inside its own origin only. net/http
// drops the Authorization header on the way to another host, but not a
// vendor's own API key header, so no other host is ever followed to. The
// redirecting answer is then the result, and a status like any other.
func stayOnHost(req *http.Request, via []*http.Request) error {
	first := via[0]
	same := origin(req.URL) == origin(first.URL)
	if !same || first.Method != http.MethodGet || len(via) > maxRedirects {
		return http.ErrUseLastResponse
	}
	return nil
}
