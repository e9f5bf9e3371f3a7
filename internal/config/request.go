package config

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// DefaultTimeout is the time limit of one request, unless the source sets one.
const DefaultTimeout = 10 * time.Second

const (
	// maxTimeout leaves a poll function, which has a minute, time to write.
	maxTimeout = 49 * time.Second
)

var methods = []string{http.MethodGet, http.MethodPost}

func (f *fields) request() Request {
	r := Request{
		Method:        f.choice("method", http.MethodGet, methods),
		URL:           f.requiredText("url", "write the address to ask, such as https://status.example.com/failures"),
		Query:         f.textMap("query"),
		Headers:       f.textMap("headers"),
		Body:          f.text("body"),
		Bearer:        f.secret("bearer"),
		BasicUser:     f.text("basic_user"),
		BasicPassword: f.secret("basic_password"),
		Timeout:       f.duration("timeout", DefaultTimeout, 100*time.Millisecond, maxTimeout),
		AllowHTTP:     f.flag("allow_http"),
		AllowPrivate:  f.flag("allow_private"),
	}
	if r.URL != "" {
		f.checkURL(r.URL, r.AllowHTTP)
	}
	if r.Body != "" && r.Method != http.MethodPost {
		f.fail("body", "is only sent with method POST", "add method: POST, or remove the body")
	}
	if holdsToken(r.Body) {
		f.fail("body", "holds a secret", "send it in a header, as a reference to the secret")
	}
	f.checkQuery(r.Query)
	f.checkHeaders(r.Headers)
	f.checkAuth(r)
	f.end()
	return r
}

// checkURL refuses addresses that cannot be requested or that would carry a secret.
// Its messages never repeat the address.
func (f *fields) checkURL(raw string, allowHTTP bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || (u.Scheme != "https" && u.Scheme != "http") {
		f.fail("url", "is not a web address", "write it whole: https://host/path")
		return
	}
	if u.User != nil {
		f.fail("url", "holds a user name or password", "use basic_user and basic_password, or bearer, with a reference to the secret")
	}
	if u.Fragment != "" {
		f.fail("url", "ends in a # part, which is never sent", "remove it")
	}
	if u.Scheme == "http" && !allowHTTP && !isLoopback(u.Hostname()) {
		f.fail("url", "is not https", "use https, or permit this with allow_http: true")
	}
	for name, values := range u.Query() {
		if isSecretQuery(name) || slices.ContainsFunc(values, holdsToken) {
			f.fail("url", "holds a secret in its query", secretQueryFix)
			return
		}
	}
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
