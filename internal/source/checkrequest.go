package source

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/config"
)

// checkEnrich refuses a second request to another host than the credentials are for.
func checkEnrich(src config.Source) []Fault {
	var f faults
	if src.Enrich.URL == "" {
		return nil
	}
	if !sameOrigin(strings.ReplaceAll(src.Enrich.URL, config.IDPlace, "id"), src.Request.URL) {
		f.add("enrich.url", "is not on the host of request.url, which the credentials are for", "ask the same host, with the same scheme")
	}
	return f
}

// sameOrigin reports whether two addresses have the same scheme, host and port.
func sameOrigin(a, b string) bool {
	to, err := url.Parse(a)
	from, fromErr := url.Parse(b)
	return err == nil && fromErr == nil && origin(to) == origin(from) && to.User == nil
}

// origin returns the scheme, host and port of an address in one spelling: hosts
// ignore case, and a scheme's default port may be omitted.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// headerName is a token of RFC 9110, section 5.6.2.
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

func checkRequest(r config.Request) []Fault {
	var f faults
	checkURL(&f, r)
	if !slices.Contains([]string{"", http.MethodGet, http.MethodPost}, r.Method) {
		f.add("request.method", fmt.Sprintf("%q is not used to read", r.Method), "use GET or POST")
	}
	if r.Timeout < 0 {
		f.add("request.timeout", "is negative", "use a duration such as 10s")
	}
	checkHeaders(&f, r)
	for path, v := range map[string]string{"bearer": r.Bearer, "basic_user": r.BasicUser, "basic_password": r.BasicPassword} {
		checkHeaderValue(&f, "request."+path, v)
	}
	if r.Bearer != "" && (r.BasicUser != "" || r.BasicPassword != "") {
		f.add("request.bearer", "is set beside basic_user or basic_password", "use one way to authenticate")
	}
	return f
}

func checkURL(f *faults, r config.Request) {
	if r.URL == "" {
		f.add("request.url", "is missing", "give the address of the vendor's list")
		return
	}
	if strings.Contains(r.URL, "${") {
		f.add("request.url", "holds a parameter that has no value", "set it under params")
		return
	}
	u, err := url.Parse(r.URL)
	switch {
	case err != nil || u.Hostname() == "":
		f.add("request.url", "is not an address", "use the form https://host/path")
	case u.User != nil:
		f.add("request.url", "holds a user name or password", "take it out, and use bearer, basic_password or a header with a reference such as ssm:/name")
	case checkPrivate(u.Hostname(), r.AllowPrivate) != nil:
		f.add("request.url", checkPrivate(u.Hostname(), r.AllowPrivate).Error(), "use the vendor's public address, or set request.allow_private: true for a network that you trust; metadata services are never asked")
	case u.Scheme == "https":
	case u.Scheme != "http":
		f.add("request.url", fmt.Sprintf("%q is not a scheme that can be asked", u.Scheme), "use https")
	case !r.AllowHTTP && !loopback(u.Hostname()):
		f.add("request.url", "is plain http, which shows the credentials to everybody on the way", "use https, or set request.allow_http: true for a network that you trust")
	}
}

// checkPrivate returns why a host given as an IP address may not be asked.
func checkPrivate(host string, allowed bool) error {
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return nil
	}
	return checkAddress(host, netip.AddrPortFrom(ip, 443).String(), allowed)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || (ip != nil && ip.IsLoopback())
}

func checkHeaders(f *faults, r config.Request) {
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		path := "request.headers." + name
		if !headerName.MatchString(name) {
			f.add(path, "is not the name of a header", "use letters, digits and -")
		}
		if strings.EqualFold(name, "Authorization") && (r.Bearer != "" || r.BasicUser != "" || r.BasicPassword != "") {
			f.add(path, "is set beside bearer or basic authentication", "use one way to authenticate")
		}
		checkHeaderValue(f, path, r.Headers[name])
	}
}

func checkRateLimit(l config.RateLimit) []Fault {
	var f faults
	for path, name := range map[string]string{"rate_limit.reset": l.Reset, "rate_limit.remaining": l.Remaining} {
		if name != "" && !headerName.MatchString(name) {
			f.add(path, "is not the name of a header", "use letters, digits and -")
		}
	}
	return f
}

func checkHeaderValue(f *faults, path, v string) {
	scheme, rest, _ := strings.Cut(v, ":")
	if isReference(v) && rest == "" {
		f.add(path, "the reference names no secret", fmt.Sprintf("write it as %s:NAME", scheme))
	}
	if strings.ContainsAny(v, "\r\n\x00") {
		f.add(path, "holds a line break, which a header cannot carry", "write it on one line")
	}
}
