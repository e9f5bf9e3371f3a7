package redact

import (
	"strings"
	"sync"
)

// prefixes finds the issuers whose tokens begin with a byte: those that must start a
// word, and those that may start anywhere.
type prefixes struct {
	apart, anywhere [128][]issuer
	// inside says for each byte whether a token may hold it.
	inside [256]bool
}

var byFirst = sync.OnceValue(func() *prefixes {
	t := &prefixes{}
	for _, is := range issuers {
		to := &t.anywhere
		if is.apart {
			to = &t.apart
		}
		to[is.prefix[0]] = append(to[is.prefix[0]], is)
	}
	for c := range t.inside {
		t.inside[c] = dotted.has(byte(c)) || strings.IndexByte(":+~%\\", byte(c)) >= 0
	}
	return t
})

// keys removes what looks like an issuer's token.
func keys(s string) string {
	table := byFirst()
	var b strings.Builder
	kept := 0
	for i := 0; i < len(s); i++ {
		end := i
		for end < len(s) && table.inside[s[end]] {
			end++
		}
		for end-i >= shortestKey {
			n := table.at(s, i)
			if n == 0 {
				i++
				continue
			}
			b.WriteString(s[kept:i])
			b.WriteString("{key}")
			i += n
			kept = i
		}
		// A token may extend beyond the run in which it begins.
		i = max(i, end)
	}
	if kept == 0 {
		return s
	}
	return b.String() + s[kept:]
}

// at returns the length of the longest token that begins at s[i], or zero.
func (t *prefixes) at(s string, i int) int {
	c, n := s[i], 0
	if c >= 128 {
		return 0
	}
	for _, is := range t.anywhere[c] {
		n = max(n, is.at(s, i))
	}
	if !starts(s, i) {
		return n
	}
	for _, is := range t.apart[c] {
		n = max(n, is.at(s, i))
	}
	if n == 0 {
		n = nameless(s, i)
	}
	return n
}

// at returns the length of the token that begins at s[i] with the prefix, or zero.
func (is issuer) at(s string, i int) int {
	if !strings.HasPrefix(s[i:], is.prefix) {
		return 0
	}
	from := i + len(is.prefix)
	end := from + is.rest.length(s[from:])
	switch {
	case end-from < is.least:
		return 0
	case is.rest == capitals:
		if end-from != is.least || end < len(s) && letter(s[end]) {
			return 0
		}
	case is.rest == hexes, is.rest == alnums:
		for end < len(s) && (alnum(s[end]) || s[end] == '-') {
			end++
		}
	case is.rest == dotted:
		first, second, _ := strings.Cut(s[from:end], ".")
		if len(first) < 16 || len(second) < 16 {
			return 0
		}
	default:
		for end < len(s) && (wide.has(s[end]) || strings.IndexByte("=./+", s[end]) >= 0) {
			end++
		}
	}
	return end - i
}

func (a alphabet) has(c byte) bool {
	switch a {
	case alnums:
		return digit(c) || letter(c)
	case hexes:
		return digit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
	case capitals:
		return upperAlnum(c)
	case dotted:
		return alnum(c) || c == '-' || c == '.'
	default:
		return alnum(c) || c == '-'
	}
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// starts reports whether a word begins at s[i]: no letter or digit precedes it,
// except the last one of an escape (%3D, \n, \u0026).
func starts(s string, i int) bool {
	if i == 0 || !letter(s[i-1]) && !digit(s[i-1]) {
		return true
	}
	switch {
	case i >= 3 && s[i-3] == '%' && hexes.has(s[i-2]) && hexes.has(s[i-1]),
		i >= 6 && s[i-6] == '\\' && s[i-5] == 'u':
		return true
	default:
		return i >= 2 && s[i-2] == '\\' && strings.IndexByte("nrtbf", s[i-1]) >= 0
	}
}

// nameless returns the length of a token that starts the word at s[i] and has a known
// form but no prefix, or a weak one, or zero.
func nameless(s string, i int) int {
	if !alnum(s[i]) {
		return 0
	}
	head := s[i:min(len(s), i+maxNameless)]
	run := wide.length(head)
	after := head[run:]
	switch {
	case run >= 8 && run <= 10 && strings.HasPrefix(after, ":AA") && hexes.length(head) == run:
		// A bot of Telegram: its number, ":" and 35 more.
		return sum(run+1, wide.length(after[1:]), 35)
	case run == 14 && strings.HasPrefix(after, ".atlasv1."):
		return sum(run+9, wide.length(after[9:]), 30)
	case run == 5 && head[4] == 'Q' && digit(head[3]) && after[:min(1, len(after))] == "~":
		// An application's secret in Azure: "Q~" after three and a digit.
		return sum(run+1, dotted.length(after[1:]), 31)
	case run >= 24 && run <= 30 && strings.IndexByte("MNO", head[0]) >= 0 && len(after) > 8 && after[0] == '.' &&
		wide.length(after[1:]) == 6 && after[7] == '.':
		// A bot of Discord: its number in base64, 6 and 27 or more.
		return sum(run+8, wide.length(after[8:]), 27)
	case run == 40 && strings.HasSuffix(head[:run], "NRAL"):
		return run // a license of New Relic
	case run >= 32 && strings.HasPrefix(head, "re_") && alnums.length(head[3:]) == 8 && head[11] == '_':
		return sum(12, alnums.length(head[12:]), 20) // Resend
	case run >= 34 && strings.HasPrefix(head, "A3-") && strings.ToUpper(head[:34]) == head[:34]:
		return run // 1Password's secret key
	}
	return 0
}

// maxNameless exceeds the length of such a token.
const maxNameless = 160

// sum returns a token's length if its last part is long enough, or else zero.
func sum(before, last, least int) int {
	if last < least {
		return 0
	}
	return before + last
}

// length returns how many bytes at the start are in the alphabet.
func (a alphabet) length(s string) int {
	n := 0
	for n < len(s) && a.has(s[n]) {
		n++
	}
	return n
}
