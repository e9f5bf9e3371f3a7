package config

import (
	"slices"
	"strings"
)

const secretQueryFix = "addresses end up in the logs of proxies: send it in a header, as a reference to the secret"

// secretQueries are query parameters that vendors accept credentials in.
var secretQueries = []string{
	"access_token", "api_key", "api-key", "apikey", "app_key", "application_key", "auth", "auth_token",
	"client_secret", "password", "secret", "token",
}

func isSecretQuery(name string) bool { return slices.Contains(secretQueries, strings.ToLower(name)) }

func (f *fields) checkQuery(query map[string]string) {
	for _, name := range sortedKeys(query) {
		if v := query[name]; isSecretQuery(name) || holdsToken(v) || startsLikeReference(v) {
			f.failIn("query", name, "holds a secret or a reference to one", secretQueryFix)
		}
	}
}

// checkHeaders requires references in headers that carry a credential, and refuses
// values that look like a credential in any other.
func (f *fields) checkHeaders(headers map[string]string) {
	for _, name := range sortedKeys(headers) {
		v := headers[name]
		switch {
		case !isToken(name):
			f.failIn("headers", name, "is not a header's name", "")
		case strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == 0x7f }):
			f.failIn("headers", name, "holds a line break or a control character", "")
		case IsReference(v):
		case isSecretHeader(name) || holdsToken(v) || startsLikeReference(v):
			f.failIn("headers", name, "is not a reference to a secret", "write where the secret is ("+secretForms+"); if this is the secret itself, replace it: it has been in a file")
		}
	}
}

// failIn reports a value of a free-form mapping such as headers.
func (f *fields) failIn(field, name, what, fix string) {
	at := f.place(field)
	if n := f.node.find(field).find(name); n != nil {
		at = n.at
	}
	f.r.fail(at, join(join(f.path, field), name), what, fix)
}

// isSecretHeader reports whether a header, by its name, carries a credential.
func isSecretHeader(name string) bool {
	lower := strings.ToLower(name)
	for _, word := range []string{"authorization", "cookie", "token", "secret", "password", "apikey", "api_key"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return lower == "key" || strings.HasSuffix(lower, "-key")
}

// isToken follows the grammar of a field name in RFC 9110, section 5.6.2.
func isToken(s string) bool {
	return s != "" && strings.Trim(s, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// authenticates reports whether a request carries a credential.
func (r Request) authenticates() bool {
	for name, value := range r.Headers {
		if isSecretHeader(name) || IsReference(value) {
			return true
		}
	}
	return r.Bearer != "" || r.BasicUser != ""
}

// checkAuth refuses two ways of authentication at once: only one would be sent, and a
// reader could not tell which.
func (f *fields) checkAuth(r Request) {
	if (r.BasicUser == "") != (r.BasicPassword == "") && !f.quiet {
		name, other := "basic_password", "basic_user"
		if r.BasicUser == "" {
			name, other = other, name
		}
		f.missing(name, other+" is of no use without it")
	}
	ways := 0
	for name := range r.Headers {
		if strings.EqualFold(name, "Authorization") {
			ways++
		}
	}
	if r.Bearer != "" {
		ways++
	}
	if r.BasicUser != "" {
		ways++
	}
	if ways > 1 {
		f.r.fail(f.at, f.path, "authenticates in two ways", "keep one of bearer, basic_user with basic_password, and an Authorization header")
	}
}
