package redact

import "strings"

// replaceAtWords calls match at the start of every word; it returns how many bytes to
// replace, or zero for none.
func replaceAtWords(s string, match func(s string, i int) int, with string) string {
	var b strings.Builder
	kept := 0
	for i := 0; i < len(s); i++ {
		// A word starts after "_" too: card_4111…
		if !alnum(s[i]) || (i > 0 && alnum(s[i-1]) && s[i-1] != '_') {
			continue
		}
		if n := match(s, i); n > 0 {
			b.WriteString(s[kept:i])
			b.WriteString(with)
			i += n
			kept = i
		}
	}
	if kept == 0 {
		return s
	}
	b.WriteString(s[kept:])
	return b.String()
}

func wordEnds(s string, i int) bool { return i >= len(s) || !alnum(s[i]) }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func upperAlnum(c byte) bool { return digit(c) || c >= 'A' && c <= 'Z' }

func alnum(c byte) bool { return upperAlnum(c) || c >= 'a' && c <= 'z' || c == '_' }

// inWords applies replace to every word that holds one of the marks. A word ends at
// white space, a quote or an angle bracket.
func inWords(s, marks string, replace func(string) string) string {
	var b strings.Builder
	kept := 0
	for i := 0; i < len(s); {
		end, marked := i, false
		for ; end < len(s) && strings.IndexByte(" \t\r\n\f\"'<>", s[end]) < 0; end++ {
			marked = marked || strings.IndexByte(marks, s[end]) >= 0
		}
		if marked {
			if out := replace(s[i:end]); out != s[i:end] {
				b.WriteString(s[kept:i])
				b.WriteString(out)
				kept = end
			}
		}
		i = end + 1
	}
	if kept == 0 {
		return s
	}
	return b.String() + s[kept:]
}
