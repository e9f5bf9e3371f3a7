package redact

import (
	"strings"
)

// Phone numbers are taken out where they are written as such: with a plus and
// the country (ITU-T E.164 allows 15 digits), or in the groups of North America
// (area and exchange start with 2 to 9). Any other run of digits is as likely an
// id or a count.
var phoneForms = []pattern{
	later(`^\+[1-9]\d{0,2}(?:[ .-]?\(\d{1,5}\)|[ .-]?\d{1,4}){1,6}`),
	later(`^(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}-)[2-9]\d{2}-\d{4}`),
}

// minPhone is the fewest digits of a number with its country that is taken for
// one: shorter runs after a plus are offsets and sums.
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
		digits := 0
		for _, c := range []byte(m) {
			if digit(c) {
				digits++
			}
		}
		if n == 1 || (digits >= minPhone && digits <= 15) {
			return len(m)
		}
	}
	return 0
}
