package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/redact"
)

// failure is why one request returned no page.
type failure struct {
	host string
	// what happened, and the remedy.
	what, remedy string
	// retryable says that another try may help; retryAfter is how long the vendor
	// asked to be left alone first, where it said so.
	retryable     bool
	retryAfter    time.Duration
	hasRetryAfter bool
	tries         int
}

func (f *failure) Error() string {
	s := f.host + " " + f.what
	if f.tries > 1 {
		s += fmt.Sprintf(", after %d tries", f.tries)
	}
	if f.remedy != "" {
		s += "; " + f.remedy
	}
	return s
}

// attempt sends one request and reads the whole body.
func (f *fetch) attempt(ctx context.Context, u *url.URL) ([]byte, http.Header, *failure) {
	body, header, status, fail := f.exchange(ctx, u)
	f.trace(u, header, status, body, fail)
	return body, header, fail
}

func (f *fetch) exchange(ctx context.Context, u *url.URL) (body []byte, header http.Header, status int, fail *failure) {
	limit := min(f.src.Request.Timeout, f.deadline.Sub(f.client.opts.Now()))
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	f.list.Requests++
	resp, err := f.send(ctx, u)
	if err != nil {
		return nil, nil, 0, f.networkFailure(u, err)
	}
	defer func() { _ = resp.Body.Close() }()
	f.noteSkew(resp.Header)
	if resp.StatusCode != http.StatusOK {
		// A connection is reused only if its body was read.
		_, _ = io.CopyN(io.Discard, resp.Body, 16<<10)
		return nil, nil, resp.StatusCode, f.statusFailure(u, resp)
	}
	body, fail = f.read(u, resp.Body)
	return body, resp.Header, resp.StatusCode, fail
}

// noteSkew compares the answer's Date with the local clock. Age, how long a cache has
// held the answer (RFC 9111, section 5.1), is added to it.
func (f *fetch) noteSkew(h http.Header) {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return
	}
	if age, err := strconv.Atoi(h.Get("Age")); err == nil && age > 0 && age < 1e9 {
		date = date.Add(time.Duration(age) * time.Second)
	}
	f.list.Skew = date.Sub(f.client.opts.Now()).Round(time.Second)
}

func (f *fetch) send(ctx context.Context, u *url.URL) (*http.Response, error) {
	method := f.src.Request.Method
	if method == "" {
		method = http.MethodGet
	}
	var body io.Reader
	if f.src.Request.Body != "" {
		body = strings.NewReader(f.src.Request.Body)
	}
	ctx = context.WithValue(ctx, targetKey{}, u.Hostname())
	req, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return nil, err
	}
	req.Header = f.auth.header.Clone()
	return f.client.httpClient(u.Hostname(), f.src.Request.AllowPrivate).Do(req)
}

// read reads a body up to the limits of one page and of the whole poll.
func (f *fetch) read(u *url.URL, r io.Reader) ([]byte, *failure) {
	limit := min(f.src.Pagination.MaxBytes, maxTotalBytes-f.bytes)
	body, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, f.networkFailure(u, err)
	}
	f.bytes += int64(len(body))
	if int64(len(body)) <= limit {
		return body, nil
	}
	fail := &failure{host: u.Host, what: fmt.Sprintf("sent more than the %d bytes that one page may have", limit)}
	fail.remedy = "ask for smaller pages or raise pagination.max_bytes"
	if limit < f.src.Pagination.MaxBytes {
		fail.what = fmt.Sprintf("sent more than the %d bytes that all pages together may have", maxTotalBytes)
		fail.remedy = "narrow the query"
	}
	return nil, fail
}

func (f *fetch) networkFailure(u *url.URL, err error) *failure {
	switch {
	case errors.Is(err, errPrivate):
		return &failure{host: u.Host, what: "was not asked: its address is inside a private network", remedy: "set request.allow_private: true if it is meant"}
	case errors.Is(err, errMetadata):
		return &failure{host: u.Host, what: "was not asked: its address is that of a metadata service", remedy: "check request.url and who answers for its name"}
	}
	fail := &failure{host: u.Host, what: "could not be read: " + redact.Error(err), retryable: true}
	switch cause := redact.Error(err); {
	case strings.HasPrefix(cause, "tls failure"):
		fail.retryable, fail.remedy = false, "the certificate must be valid for this host; check request.url"
	case cause == "dns failure":
		fail.remedy = "check the host name in request.url"
	}
	return fail
}
