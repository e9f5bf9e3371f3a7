package source

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/redact"
)

// Exchange is one request to a vendor and its answer, for a person who tries a
// source. It holds no secret.
type Exchange struct {
	Method string
	URL    string
	// Header are the request's headers, sorted, one per line, with secrets masked.
	Header []string
	// Sent is the request's body.
	Sent string
	// Status is the answer's, zero without an answer; Failure is why there is no
	// page, and empty if there is one.
	Status  int
	Failure string
	// Bytes is the size of the page.
	Bytes int
	// Link is the answer's Link header, without secrets and without the host, for a
	// stored page to name its next page.
	Link string
	// Discovery says that this was not a page of the list but a description of it.
	Discovery bool

	body   []byte
	redact *redact.Redactor
}

// Fixture returns the page in a form that is safe to store: JSON with every text
// redacted.
func (e Exchange) Fixture() []byte { return fixture(e.body, e.redact) }

// trace reports an exchange to Options.Trace.
func (f *fetch) trace(u *url.URL, header http.Header, status int, body []byte, fail *failure) {
	if f.client.opts.Trace == nil {
		return
	}
	e := Exchange{
		Method: f.src.Request.Method, URL: f.redact.Text(u.String()), Header: f.maskedHeader(),
		Sent: f.redact.Text(f.src.Request.Body), Status: status,
		Bytes: len(body), Link: f.redact.Text(onPath(u, header.Values("Link"))), Discovery: f.discovering, body: body, redact: f.redact,
	}
	if e.Method == "" {
		e.Method = http.MethodGet
	}
	if fail != nil {
		e.Failure = f.redact.Text(fail.Error())
	}
	f.client.opts.Trace(e)
}

// onPath removes the vendor's host from a Link header, since a stored page belongs to
// no host.
func onPath(u *url.URL, header []string) string {
	return strings.ReplaceAll(strings.Join(header, ", "), "<"+u.Scheme+"://"+u.Host+"/", "</")
}

func (f *fetch) maskedHeader() []string {
	var lines []string
	for name, values := range f.auth.header {
		for _, v := range values {
			lines = append(lines, f.redact.Text(name+": "+v))
		}
	}
	slices.Sort(lines)
	return lines
}
