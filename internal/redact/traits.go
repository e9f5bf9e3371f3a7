package redact

import "strings"

// traits says cheaply which rules can apply to a text. Most texts of a large listing
// have none of these and meet no regular expression.
type traits struct {
	digits, upper int
	// at is an @.
	at bool
	// longest is the longest run of letters, digits, "_" and "-".
	longest int
}

func look(s string) traits {
	var t traits
	run := 0
	for i := range len(s) {
		c := s[i]
		run++
		switch {
		case digit(c):
			t.digits++
		case c >= 'A' && c <= 'Z':
			t.upper++
		case c >= 'a' && c <= 'z', c == '_', c == '-':
		default:
			t.at = t.at || c == '@'
			run = 0
		}
		t.longest = max(t.longest, run)
	}
	return t
}

// mayHoldScheme reports whether a word before a blank names a scheme.
func mayHoldScheme(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', ':', '%', '+':
		default:
			continue
		}
		for _, name := range []string{"bearer", "basic", "token", "apikey", "geniekey"} {
			if at := i - len(name); at >= 0 && strings.EqualFold(s[at:i], name) {
				return true
			}
		}
	}
	return false
}
