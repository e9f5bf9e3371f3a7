package redact

import (
	"math/big"
	"strconv"
	"strings"
)

// Card numbers have 13 to 19 digits, the last one a Luhn check digit (ISO/IEC
// 7812-1). A text with fewer than minCard digits is skipped.
const minCard = 13

// gap is what separates groups of digits: blanks, also non-breaking ones, dashes and
// points.
const gap = `(?:[ .\x{a0}\x{2009}\x{202f}\x{2010}-\x{2013}-]{1,2})`

// cardForms are one run of digits, and the groups that cards print: 4-4-4-4
// with or without 3 more, 4-6-5, 4-6-4, and 6-10 to 6-13. The longest comes first.
var cardForms = []pattern{
	later(`^\d{13,19}`),
	later(`^\d{4}` + gap + `\d{4}` + gap + `\d{4}` + gap + `\d{4}` + gap + `\d{3}`),
	later(`^\d{4}` + gap + `\d{4}` + gap + `\d{4}` + gap + `\d{4}`),
	later(`^\d{4}` + gap + `\d{6}` + gap + `\d{4,5}`),
	later(`^\d{6}` + gap + `\d{10,13}`),
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

func cards(s string) string { return replaceAtWords(s, cardAt, "{card}") }

// cardAt returns the length of the card number that starts at s[i], or zero. A
// run that continues a decimal fraction or an address path is no card: floats
// and vendor ids have as many digits.
func cardAt(s string, i int) int {
	if s[i] < '0' || s[i] > '9' {
		return 0
	}
	if i > 0 && (s[i-1] == '/' || fraction(s, i-1)) {
		return 0
	}
	for _, form := range cardForms {
		m := form.FindString(s[i:])
		if m == "" || !wordEnds(s, i+len(m)) || fraction(s, i+len(m)) {
			continue
		}
		if digits := digitsOf(m); cardIssuer(digits) && luhn(digits) {
			return len(m)
		}
	}
	return 0
}

// fraction reports whether s[i] is a point or comma between two digits.
func fraction(s string, i int) bool {
	return i > 0 && i+1 < len(s) && (s[i] == '.' || s[i] == ',') && digit(s[i-1]) && digit(s[i+1])
}

// cardIssuer keeps ids and times that happen to pass the check digit: the
// first digits and the length must be those of a card network.
func cardIssuer(d string) bool {
	two, four := d[:2], d[:4]
	switch {
	case d[0] == '4':
		return len(d) == 13 || len(d) == 16 || len(d) == 19
	case two >= "51" && two <= "55", four >= "2221" && four <= "2720":
		return len(d) == 16
	case two == "34", two == "37":
		return len(d) == 15
	case two == "36", two == "38", four >= "3000" && four <= "3059":
		return len(d) == 14
	case two == "35", two == "60", two == "62", two == "64", two == "65":
		return len(d) >= 16
	default:
		return false
	}
}

func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
			if d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// ibanLengths are from the IBAN registry (ISO 13616); numbers of other countries are
// not recognised.
var ibanLengths = map[string]int{
	"AL": 28, "AZ": 28, "BA": 20, "BH": 22, "BI": 27, "BY": 28, "CR": 22, "DJ": 27, "DO": 28, "EG": 29, "FO": 18, "GE": 22,
	"GI": 23, "GL": 18, "GT": 28, "IQ": 23, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LY": 25, "MD": 24, "ME": 22,
	"MK": 19, "MR": 27, "MU": 30, "PK": 24, "PS": 29, "QA": 29, "SC": 31, "SD": 18, "ST": 25, "SV": 28, "TL": 23, "TN": 24,
	"VA": 22, "VG": 24, "XK": 20,
	"AD": 24, "AE": 23, "AT": 20, "BE": 16, "BG": 22, "BR": 29, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18,
	"EE": 20, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IS": 26,
	"IT": 27, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25,
	"RO": 24, "RS": 22, "SA": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TR": 26, "UA": 29,
}

// A text with fewer than minIBANDigits digits is skipped. Numbers with fewer exist
// only in theory: some countries allow letters where all have digits.
const minIBANDigits = 8

func ibans(s string) string { return replaceAtWords(s, ibanAt, "{iban}") }

// ibanAt returns the length of the valid account number that starts at s[i], in one
// piece or grouped by single blanks or dashes, in upper or lower case, or zero.
func ibanAt(s string, i int) int {
	if len(s) < i+4 || !digit(s[i+2]) {
		return 0
	}
	want, ok := ibanLengths[strings.ToUpper(s[i:i+2])]
	if !ok {
		return 0
	}
	compact := make([]byte, 0, want)
	for j := i; j < len(s) && len(compact) < want; {
		if n := mark(s[j:]); n > 0 && len(compact) > 0 && alnum(s[j-1]) {
			j += n
			continue
		}
		if !alnum(s[j]) || s[j] == '_' {
			return 0
		}
		compact = append(compact, upper(s[j]))
		j++
		if len(compact) == want && wordEnds(s, j) && mod97(string(compact)) {
			return j - i
		}
	}
	return 0
}

// mark returns the length of the separator between two groups of an account number.
func mark(s string) int {
	for _, m := range []string{" ", "-", "\u00a0", "\u202f"} {
		if strings.HasPrefix(s, m) {
			return len(m)
		}
	}
	return 0
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// mod97 is the check of ISO 7064 as used by ISO 13616: the first four characters are
// moved to the end, letters count from ten, and the remainder is one.
func mod97(iban string) bool {
	var digits strings.Builder
	for _, r := range iban[4:] + iban[:4] {
		if r >= 'A' {
			digits.WriteString(strconv.Itoa(int(r-'A') + 10))
			continue
		}
		digits.WriteRune(r)
	}
	n, ok := new(big.Int).SetString(digits.String(), 10)
	return ok && n.Mod(n, big.NewInt(97)).Int64() == 1
}
