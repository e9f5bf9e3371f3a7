package incident

import (
	"regexp"
	"strings"
	"sync"
)

const (
	weekday = `(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs?)?|Fri|Sat(?:ur)?|Sun)(?:day)?`
	month   = `(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)`
	clock   = `\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?`
)

// lazily compiles an expression on first use. Compiling all of them would add half
// a millisecond to every function's start, and only poll normalises.
func lazily(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// structured lists the patterns that are replaced before single words. Order
// matters: an e-mail address may contain a number, a time may look like an IP
// address.
var structured = []struct {
	re          func() *regexp.Regexp
	placeholder string
}{
	{lazily(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`), "{email}"},
	{lazily(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "{uuid}"},
	{lazily(`\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}:?\d{2})?`), "{time}"},
	// The dates of RFC 1123, of time.ANSIC, and of prose: a day and a named month.
	{lazily(`\b(?:` + weekday + `,? )?(?:\d{1,2}[ -]` + month + `|` + month + `\.? \d{1,2})\b(?:,?[ -]\d{4}\b)?(?: ` + clock + `\b)?(?: \d{4}\b)?`), "{time}"},
	{lazily(`\b` + clock + `\b`), "{time}"},
	{lazily(`\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b`), "{ip}"},
	{lazily(`(?i)\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b|(?i)\b(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}\b`), "{ip}"},
	{lazily(`(?i)\b0x[0-9a-f]+\b`), "{hex}"},
}

// Normalise replaces volatile text in a key part with placeholders, so that a
// request id, a time, a number or an address in a vendor's title does not make
// every event a new incident. It is idempotent.
//
//   - e-mail addresses, UUIDs, times and dates, IP addresses and 0x numbers become
//     {email}, {uuid}, {time}, {ip} and {hex}; the words of a path stay, its ids
//     do not;
//   - numbers become {n}, with a unit of up to three letters kept: 1711.36ms
//     is {n}ms; so do words of eight or more hex digits, and of seven with at least
//     two decimal digits, the length of a short git commit hash;
//   - a random word after a prefix of two to five letters and "_" becomes {id}:
//     req_{id}, evt_{id}, sk_test_{id};
//   - any other word of sixteen or more characters becomes {id} when it has at
//     least four digits, or digits in two places;
//   - a word that ends in five or more digits keeps its letters: order{n};
//   - the two random parts of a pod's name become {id}: checkout-{id};
//   - decimal digits of other scripts become ASCII digits: ٣ is 3;
//   - white space is folded to single blanks.
//
// Names such as s3, http2, server5 or node-a stay, and so do short ids and
// shorter hashes such as A1001 and a1b2c3. Normalise does not apply Unicode
// normalisation (é as one character or two); the caller does. Every number is
// volatile, a status code too: for hosts, regions and codes use a part of type id.
func Normalise(text string) string {
	text = asciiDigits(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "))
	// A placeholder can complete a pattern that did not match before: a::a121212
	// is an address once its number is replaced. Each round removes letters or
	// digits, so the loop terminates.
	for {
		next := normaliseOnce(text)
		if next == text {
			return text
		}
		text = next
	}
}

func normaliseOnce(text string) string {
	for _, s := range structured {
		text = s.re().ReplaceAllString(text, s.placeholder)
	}
	return replaceWords(withoutPrefixed(withoutPods(text)))
}
