package redact

import "strings"

// name is the name before an assignment mark.
type name struct {
	text   string
	from   int
	quoted bool
}

// nameBefore reads the name that ends at s[i], or at the quotes, brackets and
// blanks before it.
func nameBefore(s string, i, kept int) name {
	var n name
	low := max(kept, i-2*maxName)
	for i > low && (s[i-1] == ' ' || s[i-1] == '\t') {
		i--
	}
	if i > low && s[i-1] == ']' {
		i--
	}
	if i > low && quote(s[i-1]) {
		n.quoted = true
		for i--; i > low && s[i-1] == '\\'; i-- {
		}
	}
	if i-3 >= low && s[i-3:i] == "%22" {
		n.quoted = true
		i -= 3
	}
	end := i
	for i > low && nameByte(s[i-1]) {
		i--
	}
	// api key, in two words
	if i-1 > low && s[i-1] == ' ' && strings.EqualFold(s[i:end], "key") {
		for i--; i > low && nameByte(s[i-1]); i-- {
		}
	}
	n.text, n.from = s[i:end], i
	return n
}

func nameByte(c byte) bool { return alnum(c) || c == '-' || c == '.' }
