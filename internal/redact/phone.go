package redact

import (
	"strings"
)

// Phone numbers are removed if they are written as such: with a plus and the country
// code (ITU-T E.164 allows 15 digits), or in North American groups (area and exchange
// start with 2 to 9). Any other run of digits is as likely an id or a count.
var phoneForms = []pattern{
	later(`^\+[1-9]\d{0,2}(?:` + phoneGap + `?\(\d{1,5}\)|` + phoneGap + `?\d{1,4}){1,6}` + extension),
	later(`^(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}-)[2-9]\d{2}-\d{4}` + extension),
	// 00 is the plus of those who dial it (ITU-T E.123 and E.164); in groups, since
	// ids start with zeros too.
	later(`^00[1-9]\d{0,2}(?:` + phoneGap + `\(?\d{1,8}\)?){2,6}` + extension),
}

const (
	phoneGap  = `(?:[ ./\x{a0}\x{202f}\x{2010}-\x{2013}-]{1,2})`
	extension = `(?: ?(?:x|ext\.?) ?\d{1,6}\b)?`
)

// minPhone is the fewest digits of a number with its country code: shorter runs after
// a plus are offsets and sums.
const minPhone = 8

func phones(s string) string {
	var b strings.Builder
	kept := 0
	for i := 0; i < len(s); i++ {
		if i > 0 && (alnum(s[i-1]) || strings.IndexByte("+-.", s[i-1]) >= 0) {
			continue
		}
		if n := phoneAt(s, i); n > 0 {
			b.WriteString(s[kept:i])
			b.WriteString("{phone}")
			kept = i + n
			i = kept - 1
		}
	}
	return b.String() + s[kept:]
}

// phoneAt returns the length of the phone number that starts at s[i], or zero.
func phoneAt(s string, i int) int {
	if s[i] != '+' && s[i] != '(' && !digit(s[i]) {
		return 0
	}
	for n, form := range phoneForms {
		m := form.FindString(s[i:])
		if m == "" || !wordEnds(s, i+len(m)) || fraction(s, i+len(m)) {
			continue
		}
		digits := len(digitsOf(m))
		if n == 1 || (digits >= minPhone && digits <= 15) {
			return len(m)
		}
	}
	return 0
}
