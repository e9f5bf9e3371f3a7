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

// maxAnswer bounds what is read of an answer.
const maxAnswer = 1 << 20

// Client makes single requests that carry secrets.
type Client struct{ http *http.Client }

// NewClient returns a Client over a transport; nil is http.DefaultTransport.
// The timeout bounds one request, from dialling to the end of the answer.
func NewClient(transport http.RoundTripper, timeout time.Duration) Client {
	return Client{&http.Client{
		Transport: transport,
		Timeout:   timeout,
		// The address or a header is a secret: it is not handed on to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	// Body is as much of the body as could be read.
	Body []byte
}

// Post sends one body, once. When there is no answer, ok is false and the
// outcome says what is known of the request.
func (c Client) Post(ctx context.Context, address string, header http.Header, body []byte) (a Answer, o delivery.Outcome, ok bool) {
	ctx, out := Watch(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil || !Safe(address) {
		return a, delivery.Misconfiguration(0, "bad_address"), false
	}
	// Without it net/http cannot repeat the request by itself, which it does for
	// one that carries an Idempotency-Key.
	req.GetBody = nil
	req.Header = header
	resp, err := c.http.Do(req)
	if err != nil {
		o := out.Outcome(err)
		o.Host = req.URL.Hostname()
		return a, o, false
	}
	defer resp.Body.Close()
	// A body that breaks off reads as far as it goes; what it means is judged
	// by who asked.
	read, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return Answer{Status: resp.StatusCode, Header: resp.Header, Body: read}, o, true
}

// Safe takes https anywhere and http on this machine only: what is sent holds
// secrets. A user name or password in the address is refused.
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
