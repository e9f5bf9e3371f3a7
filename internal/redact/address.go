package redact

import "strings"

// inAddresses applies replace to every address of a text (scheme://…), whose slashes
// may be escaped as in JSON, and leaves the rest unchanged.
func inAddresses(s string, replace func(string) string) string {
	var b strings.Builder
	kept := 0
	for {
		from, end := nextAddress(s, kept)
		if from < 0 {
			break
		}
		b.WriteString(s[kept:from])
		b.WriteString(replace(s[from:end]))
		kept = end
	}
	if kept == 0 {
		return s
	}
	return b.String() + s[kept:]
}

// nextAddress finds the next address in s[at:]; from is negative if there is none.
func nextAddress(s string, at int) (from, end int) {
	for i := at; ; {
		colon := strings.IndexByte(s[i:], ':')
		if colon < 0 {
			return -1, 0
		}
		i += colon
		if n := slashes(s[i:]); n > 0 {
			if from = schemeBefore(s, i, at); from >= 0 {
				if end = addressEnd(s, i+n); end > i+n {
					return from, end
				}
			}
		}
		i++
	}
}

// slashes returns the length of the "://", plain or escaped, that s begins with, or
// zero.
func slashes(s string) int {
	for _, mark := range []string{"://", `:\/\/`} {
		if strings.HasPrefix(s, mark) {
			return len(mark)
		}
	}
	return 0
}

// schemeBefore returns where the scheme that ends at s[colon] starts (RFC 3986,
// section 3.1), not before at; negative if there is none.
func schemeBefore(s string, colon, at int) int {
	from := -1
	for i := colon - 1; i >= at && colon-i <= maxScheme; i-- {
		switch {
		case letter(s[i]):
			from = i
		case digit(s[i]), s[i] == '+', s[i] == '.', s[i] == '-':
		default:
			return from
		}
	}
	return from
}

// maxScheme bounds the search backwards.
const maxScheme = 64

// addressEnd returns where the address at s[i] ends. A backslash ends it unless it
// escapes a slash or, as \u0026, a separator of parameters.
func addressEnd(s string, i int) int {
	for i < len(s) {
		switch c := s[i]; {
		case c == '\\' && strings.HasPrefix(s[i:], `\/`):
			i += 2
		case c == '\\' && strings.HasPrefix(s[i:], escapedAnd):
			i += len(escapedAnd)
		case strings.IndexByte(" \t\r\n\f<>\"'|\\^`", c) >= 0:
			return i
		default:
			i++
		}
	}
	return i
}

const escapedAnd = `\u0026`
