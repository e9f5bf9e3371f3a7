package incident

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

var number = lazily(`^\d+(?:[.,]\d+)*$`)

// replaceWords normalises each run of letters and digits. A point or comma between
// two digits belongs to the run.
func replaceWords(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if !alnum(text[i]) {
			b.WriteByte(text[i])
			i++
			continue
		}
		end := wordEnd(text, i)
		b.WriteString(normaliseWord(text[i:end]))
		i = end
	}
	return b.String()
}

func wordEnd(text string, i int) int {
	for i < len(text) {
		inNumber := (text[i] == '.' || text[i] == ',') && i > 0 && digit(text[i-1]) && i+1 < len(text) && digit(text[i+1])
		if !alnum(text[i]) && !inNumber {
			break
		}
		i++
	}
	return i
}

func normaliseWord(w string) string {
	digits := countDigits(w)
	if digits == 0 {
		return w
	}
	if number().MatchString(w) || (isHex(w) && (len(w) >= 8 || (len(w) == 7 && digits >= 2))) {
		return "{n}"
	}
	if unit := strings.TrimLeft(w, "0123456789.,"); unit != "" && len(unit) <= 3 && countDigits(unit) == 0 {
		return "{n}" + unit
	}
	if len(w) >= 16 && (digits >= 4 || digitRuns(w) >= 2) {
		return "{id}"
	}
	if name := strings.TrimRight(w, "0123456789.,"); len(w)-len(name) >= 5 && countDigits(name) == 0 {
		return name + "{n}"
	}
	return w
}

func countDigits(w string) int {
	n := 0
	for i := range len(w) {
		if digit(w[i]) {
			n++
		}
	}
	return n
}

func digitRuns(w string) int {
	n := 0
	for i := range len(w) {
		if digit(w[i]) && (i == 0 || !digit(w[i-1])) {
			n++
		}
	}
	return n
}

func isHex(w string) bool {
	for i := range len(w) {
		if !digit(w[i]) && (w[i]|0x20 < 'a' || w[i]|0x20 > 'f') {
			return false
		}
	}
	return true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func alnum(c byte) bool { return digit(c) || (c|0x20 >= 'a' && c|0x20 <= 'z') }

// asciiDigits writes the decimal digits of every script as 0 to 9.
func asciiDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf || !unicode.IsDigit(r) {
			return r
		}
		// Unicode places the ten digits of a script next to each other, zero first.
		// Adjacent scripts share one range of the table.
		for _, t := range unicode.Digit.R16 {
			if lo, hi := rune(t.Lo), rune(t.Hi); lo <= r && r <= hi {
				return '0' + (r-lo)%10
			}
		}
		for _, t := range unicode.Digit.R32 {
			if lo, hi := rune(t.Lo), rune(t.Hi); lo <= r && r <= hi {
				return '0' + (r-lo)%10
			}
		}
		return r
	}, text)
}
