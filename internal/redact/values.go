package redact

import "strings"

// value is the position of a setting's value, without its quotes.
type value struct {
	from, end int
	// open is its opening quote, with what escapes it, or empty.
	open string
	// scheme is where the name of an authentication scheme before it starts, or from
	// if there is none.
	scheme int
	form   form
}

func (v value) quoted() bool { return v.open != "" }

// maxLook is how much of a value is read to decide on it: an adversarial text would
// otherwise be read once for every name in it. maxShort is enough for values of few
// digits or letters.
const (
	maxLook  = 512
	maxShort = 48
)

// valueAt reads the value after an assignment mark, up to maxLook or maxShort.
func valueAt(s string, i int, f form, name string) (value, bool) {
	header := strings.HasSuffix(plainName(name), "authorization")
	i = skipBlanks(s, i)
	if i < len(s) && (s[i] == '[' || s[i] == '(') {
		if next := skipBlanks(s, i+1); next < len(s) && quote(s[next]) {
			i = next
		}
	}
	if i+1 < len(s) && strings.IndexByte("bBuUrR", s[i]) >= 0 && quote(s[i+1]) {
		i++ // Python's b'…'
	}
	v := value{form: f}
	if open := quoteAt(s, i); open > 0 {
		v.open = s[i : i+open]
		i += open
	} else if strings.HasPrefix(s[i:], "%22") || strings.HasPrefix(s[i:], "%27") {
		i += 3
	}
	v.scheme, v.from = i, i
	look := maxLook
	if f >= routing {
		look = maxShort
	}
	part := s[:min(len(s), i+look)]
	v.from += schemeAt(part[i:], header)
	v.end = v.endIn(part)
	if v.end == v.from && v.from > v.scheme {
		v.from = v.scheme
		v.end = v.endIn(part)
	}
	return v, v.end > v.from
}

// endIn returns where the value ends in a text.
func (v value) endIn(s string) int {
	if v.quoted() {
		return quotedEnd(s, v.from, v.open)
	}
	end := bareEnd(s, v.from, v.form == password || v.form == pass)
	if v.form >= routing {
		end = v.from + len(strings.TrimRight(s[v.from:end], ".:!?)]"))
	}
	return end
}

// whole returns the whole value, with all parameters of its scheme.
func (v value) whole(s string) value {
	v.end = v.endIn(s)
	if v.from > v.scheme && !v.quoted() {
		v.end = max(v.end, paramsEnd(s, v.from))
	}
	return v
}

func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

func quote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// quoteAt returns the length of a quote at s[i], with the backslashes that escape it,
// or zero.
func quoteAt(s string, i int) int {
	n := i
	for n < len(s) && s[n] == '\\' {
		n++
	}
	if n < len(s) && quote(s[n]) {
		return n + 1 - i
	}
	return 0
}

// quotedEnd returns where a quoted value ends: at the same quote, escaped as often,
// or else at the end of the line.
func quotedEnd(s string, i int, open string) int {
	escapes := len(open) - 1
	for ; i < len(s); i++ {
		switch {
		case s[i] == '\n' || s[i] == '\r':
			return i
		case s[i] == '\\':
			n := i
			for n < len(s) && s[n] == '\\' {
				n++
			}
			switch {
			case n == len(s):
				return n
			case s[n] != open[escapes]:
				i = n - 1
			case n-i <= escapes:
				return i
			default:
				i = n
			}
		case s[i] == open[escapes]:
			return i
		}
	}
	return i
}

// bareEnd returns where a value without quotes ends: at white space, a quote or a
// separator. A password may hold any of them but white space: they end it only where
// they cannot belong to it.
func bareEnd(s string, i int, any bool) int {
	for from := i; i < len(s); i++ {
		c := s[i]
		if strings.IndexByte(" \t\r\n\f\v\"'`\\,;&{}<>%", c) < 0 {
			continue
		}
		if c == '%' && !escapedMark(s[i:]) {
			continue
		}
		if c == '`' && !any {
			continue
		}
		if !any || !inside(s, from, i) {
			return i
		}
	}
	return i
}

// escapedMark reports whether a text begins with the escape of a character that ends
// a value: a blank, a quote, & or ; or a line's end.
func escapedMark(s string) bool {
	for _, e := range []string{"%20", "%22", "%26", "%27", "%3B", "%3b", "%0A", "%0a", "%0D", "%0d"} {
		if strings.HasPrefix(s, e) {
			return true
		}
	}
	return false
}

// inside reports whether s[i] can belong to the password that starts at s[from].
func inside(s string, from, i int) bool {
	if i+1 >= len(s) {
		return false
	}
	next := s[i+1]
	switch s[i] {
	case '"', '\'', '`':
		return i > from && alnum(s[i-1]) && alnum(next)
	case ',':
		return strings.IndexByte(" \t\r\n\"'{}", next) < 0 && !assigns(s[i+1:])
	case '{':
		return i > from && placeholderAt(s[i:]) == 0
	case '}', '<', '>':
		return i > from && alnum(next)
	case '\\':
		return strings.IndexByte("\"'`nrtbfu/\\", next) < 0
	default:
		return false
	}
}

// assigns reports whether a text begins with a name and an assignment mark.
func assigns(s string) bool {
	n := dotted.length(s[:min(len(s), maxName)])
	if n < len(s) && quote(s[n]) {
		n++
	}
	return n > 0 && n < len(s) && (s[n] == '=' || s[n] == ':')
}

// placeholderAt returns the length of a placeholder for removed text at the start of
// a text, also of one in an identifier ({email-1b2c…}), or zero.
func placeholderAt(s string) int {
	n := 1
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || digit(s[n]) || s[n] == '-') && n < 24 {
		n++
	}
	if s != "" && s[0] == '{' && n > 4 && n < len(s) && s[n] == '}' {
		return n + 1
	}
	return 0
}

var schemes = []string{
	"bearer", "basic", "digest", "token", "apikey", "geniekey", "negotiate", "oauth", "ntlm", "hawk", "splunk", "ssws", "aws4-hmac-sha256",
}

// schemeAt returns the length of the name of an authentication scheme and the blanks
// after it, or zero. In an authorization header any word may be one, if what follows
// looks like a secret.
func schemeAt(s string, header bool) int {
	word := wide.length(s[:min(len(s), 32)])
	n := skipBlanks(s, word)
	if word == 0 || n == word {
		return 0
	}
	for _, name := range schemes {
		if strings.EqualFold(s[:word], name) {
			return n
		}
	}
	if header && !looksSecret(s[:word]) && looksSecret(s[n:bareEnd(s, n, false)]) {
		return n
	}
	return 0
}

// paramsEnd returns where a list of parameters ends, in the form of the schemes
// Digest, OAuth, Hawk and AWS's: name="value", name=value.
func paramsEnd(s string, i int) int {
	for end := i; ; {
		n := wide.length(s[i:])
		if n == 0 || i+n >= len(s) || s[i+n] != '=' {
			return end
		}
		i += n + 1
		if open := quoteAt(s, i); open > 0 {
			end = quotedEnd(s, i+open, s[i:i+open])
			i = min(len(s), end+open)
			end = i
		} else {
			i = bareEnd(s, i, false)
			end = i
		}
		if i >= len(s) || s[i] != ',' {
			return end
		}
		i = skipBlanks(s, i+1)
	}
}
