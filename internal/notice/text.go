package notice

import (
	"strings"
	"unicode"
)

// Clean sanitises a vendor's text for display: valid UTF-8, line ends as \n, no control
// characters but \n and tab, no characters that reorder the text, and no white space at
// either end.
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

// OneLine is Clean with all white space folded to single spaces.
func OneLine(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

func oneLineOr(s, otherwise string) string {
	if s = OneLine(s); s != "" {
		return s
	}
	return OneLine(otherwise)
}

// reorders reports whether a rune embeds, overrides or isolates a writing direction.
// Such runes can make a text display something other than its content. See "Unicode
// Bidirectional Algorithm", UAX #9, section 2.
func reorders(r rune) bool {
	return (r >= '\u202A' && r <= '\u202E') || (r >= '\u2066' && r <= '\u2069')
}
