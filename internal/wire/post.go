package wire

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// maxAnswer bounds how much of an answer is read, in bytes.
const maxAnswer = 1 << 20

// Client sends single requests that carry secrets.
type Client struct{ http *http.Client }

// NewClient returns a Client over a transport; nil is http.DefaultTransport.
// The timeout bounds one request, from dialling to the end of the answer.
func NewClient(transport http.RoundTripper, timeout time.Duration) Client {
	return Client{&http.Client{
		Transport: transport,
		Timeout:   timeout,
		// The address or a header is a secret, which no other host may get.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Answer is an HTTP answer.
type Answer struct {
	Status int
	Header http.Header
	// Body is as much of the body as could be read.
	Body []byte
}

// Post sends one body, once. Without an answer, ok is false and the outcome says what
// is known about the request.
func (c Client) Post(ctx context.Context, address string, header http.Header, body []byte) (a Answer, o delivery.Outcome, ok bool) {
	ctx, out := Watch(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil || !Safe(address) {
		return a, delivery.Misconfiguration(0, "bad_address"), false
	}
	// Without GetBody net/http cannot repeat the request on its own, which it does
	// for one with an Idempotency-Key.
	req.GetBody = nil
	req.Header = header
	resp, err := c.http.Do(req)
	if err != nil {
		o := out.Outcome(err)
		o.Host = req.URL.Hostname()
		return a, o, false
	}
	defer resp.Body.Close()
	// A truncated body is returned as far as it was read; the caller decides what it
	// means.
	read, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return Answer{Status: resp.StatusCode, Header: resp.Header, Body: read}, o, true
}

// Safe reports whether an address may receive secrets: https anywhere, http on this
// machine only, and no user name or password in it.
func Safe(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	if u.Scheme == "https" {
		return true
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || (ip != nil && ip.IsLoopback()))
}
