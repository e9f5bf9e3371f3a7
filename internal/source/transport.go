package source

import (
	"crypto/tls"
	"net/http"
	"time"
)

// newTransport returns a transport that limits the time of every step, verifies
// certificates, and decompresses gzip.
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

// maxRedirects is how often one request may be redirected within its own host.
const maxRedirects = 3

// stayOnHost allows a GET to be redirected within its own origin only. net/http drops
// the Authorization header on the way to another host, but not a vendor's own API key
// header, so no redirect to another host is followed. The redirecting answer is then
// the result, with its status.
func stayOnHost(req *http.Request, via []*http.Request) error {
	first := via[0]
	same := origin(req.URL) == origin(first.URL)
	if !same || first.Method != http.MethodGet || len(via) > maxRedirects {
		return http.ErrUseLastResponse
	}
	return nil
}
