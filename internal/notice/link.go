package notice

import (
	"net/url"
	"strings"
)

// SafeLink returns a vendor's URL in a form that cannot break out of any markup: http or
// https with a host, with white space, quotes, angle brackets and bars percent-encoded.
// It returns "" for anything else, and for a URL with a user name or password, which a
// message must not contain.
func SafeLink(raw string) string {
	raw = strings.TrimSpace(strings.ToValidUTF8(raw, ""))
	u, err := url.Parse(encodeUnsafe(raw))
	if err != nil || u.Host == "" || u.User != nil {
		return ""
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return encodeUnsafe(raw)
	default:
		return ""
	}
}

// encodeUnsafe percent-encodes the bytes that end a link or an attribute in some markup.
// Everything else stays unchanged, so that the link still works.
func encodeUnsafe(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if c <= ' ' || c == 0x7F || c >= 0x80 || strings.IndexByte("<>|\"'`\\^{}", c) >= 0 {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// Span is a piece of text; URL is set where it is a link.
type Span struct {
	Text string
	URL  string
}

// Spans splits a configured text into plain text and links, such as a runbook's address
// in an operator action.
func Spans(s string) []Span {
	var spans []Span
	for s != "" {
		start := linkStart(s)
		if start < 0 {
			return append(spans, Span{Text: s})
		}
		end := start + linkLength(s[start:])
		if start > 0 {
			spans = append(spans, Span{Text: s[:start]})
		}
		spans = append(spans, Span{Text: s[start:end], URL: SafeLink(s[start:end])})
		s = s[end:]
	}
	return spans
}

func linkStart(s string) int {
	a, b := strings.Index(s, "https://"), strings.Index(s, "http://")
	if a < 0 || (b >= 0 && b < a) {
		return b
	}
	return a
}

// linkLength returns the length of the link at the start of s. A link ends at white
// space and excludes trailing punctuation of the sentence.
func linkLength(s string) int {
	if i := strings.IndexAny(s, " \t\n<>\""); i >= 0 {
		s = s[:i]
	}
	return len(strings.TrimRight(s, ".,;:!?)'"))
}
