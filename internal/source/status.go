package source

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// statusFailure maps an answer other than 200 to whether to retry and what to tell
// the operator. It leaves out the body: some vendors echo the request, and with it
// the credentials.
func (f *fetch) statusFailure(u *url.URL, resp *http.Response) *failure {
	fail := &failure{host: u.Host, what: fmt.Sprintf("answered %d", resp.StatusCode)}
	if text := http.StatusText(resp.StatusCode); text != "" {
		fail.what += " " + text
	}
	switch code := resp.StatusCode; {
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable:
		fail.retryable = true
		// A wait that is over, or a date in the past, asks for nothing.
		fail.retryAfter, _ = askedWait(f.src.RateLimit, resp.Header, f.client.opts.Now())
		fail.hasRetryAfter = fail.retryAfter > 0
		fail.remedy = "it is overloaded or down for now; the next poll asks again"
		if code == http.StatusTooManyRequests {
			f.list.Limited++
			fail.remedy = "poll less often (interval) or narrow the query"
		}
	case code >= 500, code == http.StatusRequestTimeout:
		fail.retryable = true
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		f.refused()
		fail.remedy = "the credentials were refused; check " + f.credentialNames() + " and what it may read"
	case code >= 300 && code < 400:
		fail.remedy = redirectRemedy(u, resp)
	case code == http.StatusNotFound, code == http.StatusGone:
		fail.remedy = "check request.url"
	case code >= 400:
		fail.remedy = "the vendor does not accept the request; check request.url and request.query"
	default:
		fail.remedy = "only 200 counts as a whole answer"
	}
	return fail
}

func (f *fetch) credentialNames() string {
	if len(f.auth.refs) == 0 {
		return "the request's credentials"
	}
	return strings.Join(f.auth.refs, ", ")
}

func redirectRemedy(u *url.URL, resp *http.Response) string {
	to, err := resp.Location()
	if err != nil {
		return "check request.url"
	}
	if origin(to) == origin(u) {
		return "it redirects in a circle or a request that is not a GET; set request.url to the final address"
	}
	return fmt.Sprintf("it redirects to %s://%s, which is not followed since the credentials are not for it; set request.url to the final address", to.Scheme, to.Host)
}
