package redact

import "strings"

// elementAt returns the value that follows <name>.
func elementAt(s string, i, kept int) (value, bool) {
	n := nameBefore(s, i, kept)
	if n.quoted || n.from == 0 || s[n.from-1] != '<' && s[n.from-1] != ':' {
		return value{}, false
	}
	f := formOf(n.text)
	end := strings.IndexByte(s[i+1:min(len(s), i+1+maxElement)], '<')
	if f == none || end <= 0 {
		return value{}, false
	}
	v := value{from: i + 1, scheme: i + 1, end: i + 1 + end}
	text := strings.TrimSpace(s[v.from:v.end])
	return v, text != "" && placeholderAt(text) != len(text) && !addressed(text) && f.isSecret(text, true)
}

// maxElement bounds the search for an element's end.
const maxElement = 4096

// escapedAt is what follows "=" or ":" in an address's escape, or "=" in one of JSON, as
// some writers have it.
func escapedAt(s string, i, kept int) (value, bool) {
	length, equals := 0, false
	switch {
	case i+3 <= len(s) && s[i:i+2] == "%3" && strings.IndexByte("DdAa", s[i+2]) >= 0:
		length, equals = 3, s[i+2]|0x20 == 'd'
	case i+6 <= len(s) && strings.EqualFold(s[i:i+6], `\u003d`):
		length, equals = 6, true
	default:
		return value{}, false
	}
	at := i
	for at > kept && s[at-1] == '\\' {
		at--
	}
	n := nameBefore(s, at, kept)
	f := formOf(n.text)
	if f == none {
		return value{}, false
	}
	v, ok := valueAt(s, i+length, f, n.text)
	return v, ok && taken(s, v, f, n.quoted || equals, n, kept)
}

// pairAt returns the value that follows the name in a list's pair: ["Authorization",
// "…"]. A list of names is no such pair, so the value must look like a secret.
func pairAt(s string, i, kept int) (value, bool) {
	if i == 0 || !quote(s[i-1]) {
		return value{}, false
	}
	n := nameBefore(s, i, kept)
	f := formOf(n.text)
	if f == none {
		return value{}, false
	}
	v, ok := valueAt(s, i+1, f, n.text)
	if !ok || !v.quoted() {
		return value{}, false
	}
	text := s[v.from:v.end]
	flag := strings.HasPrefix(n.text, "--") && text[0] != '-'
	return v, placeholderAt(text) != len(text) && !addressed(text) && f.isSecret(text, flag) && (flag || looksSecret(text))
}
