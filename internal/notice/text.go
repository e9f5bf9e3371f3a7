package notice

import (
	"strings"
	"unicode"
)

// Clean makes foreign text fit to be shown: valid UTF-8, line ends as \n, no
// other control characters, none that reorder the text around them, and no
// blank lines at either end.
func Clean(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == '\u2028' || r == '\u2029':
			return '\n'
		case unicode.IsControl(r) || reorders(r):
			return -1
		default:
			return r
		}
	}, s))
}

// OneLine is Clean with all white space folded to single blanks.
func OneLine(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

func oneLineOr(s, otherwise string) string {
	if s = OneLine(s); s != "" {
		return s
	}
	return OneLine(otherwise)
}

// reorders reports the marks that embed, override or isolate a direction of
// writing: with them a text can show something else than it holds. See
// "Unicode Bidirectional Algorithm", UAX #9, section 2.
func reorders(r rune) bool {
	return (r >= '\u202A' && r <= '\u202E') || (r >= '\u2066' && r <= '\u2069')
}
