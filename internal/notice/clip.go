package notice

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Cost is what one rune adds to the length of a text, as a channel counts it.
type Cost func(rune) int

// Plain counts UTF-16 units, as JavaScript does. It is the stricter of the two ways in
// which a service may count "characters".
var Plain Cost = func(r rune) int { return max(1, utf16.RuneLen(r)) }

// Length returns the cost of a whole text.
func (c Cost) Length(s string) int {
	n := 0
	for _, r := range s {
		n += c(r)
	}
	return n
}

// noteRoom reserves room for a note such as "\n+123,456 more lines".
const noteRoom = 40

// Clip shortens a text to the given number of lines and length. It keeps whole lines and
// appends how many are missing. If the first line alone is too long, it is cut between
// two characters, and the number of missing characters is appended.
func (c Cost) Clip(s string, lines, length int) string {
	all := strings.Split(s, "\n")
	if len(all) <= lines && c.Length(s) <= length {
		return s
	}
	kept, _ := c.Fit(all[:min(lines, len(all))], length-noteRoom)
	if len(kept) == 0 {
		return c.cut(s, length-noteRoom)
	}
	return strings.Join(kept, "\n") + "\n+" + count(len(all)-len(kept), "more line")
}

// Fit returns the leading items that fit into the length, at one line each, and how many
// do not.
func (c Cost) Fit(items []string, length int) (kept []string, more int) {
	for i, item := range items {
		if length -= c.Length(item) + 1; length < 0 {
			return items[:i], len(items) - i
		}
	}
	return items, 0
}

// cut truncates a text to the length and appends how many characters are missing.
func (c Cost) cut(s string, length int) string {
	for i, r := range s {
		if length -= c(r); length < 0 {
			return strings.TrimRight(s[:i], " \n") + "… +" + count(utf8.RuneCountInString(s[i:]), "more character")
		}
	}
	return s
}
