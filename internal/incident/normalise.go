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

// lazily compiles an expression when it is first needed: all of them together would
// take half a millisecond of every function's start, and only poll normalises.
func lazily(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// structured are the shapes that only make sense whole; they go before single
// words are looked at. Order matters: an e-mail may hold a number, a time may
// look like an address.
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

// Normalise takes the volatile text out of a key part, so that a request id, a
// time, a number or an address in a vendor's title does not make a new
// incident of every event. Normalising twice gives the same as once.
//
//   - e-mail addresses, UUIDs, times and dates, IP addresses, 0x numbers become
//     {email}, {uuid}, {time}, {ip}, {hex}; so the ids in a path go, its words stay;
//   - numbers become {n}, with a unit of up to three letters kept: 1711.36ms
//     is {n}ms; so does a word of eight or more hex digits, and of seven with two
//     digits at least, which is how git shortens a commit's;
//   - what comes behind a prefix of two to five letters and "_" becomes {id} when it
//     is random: req_{id}, evt_{id}, sk_test_{id};
//   - any other word of sixteen or more characters becomes {id} when it has at
//     least four digits, or digits in two places;
//   - a word that ends in five or more digits keeps its letters: order{n};
//   - the two random parts of a pod's name become {id}: checkout-{id};
//   - decimal digits of other scripts are those of ours, ٣ as 3;
//   - white space is folded to single blanks.
//
// Names such as s3, http2, server5 or node-a stay, and so do short ids and
// shorter hashes such as A1001 and a1b2c3. Text that is the same by Unicode but
// written otherwise (é in one character or two) is not brought together here: who
// makes the part does that. A number is volatile wherever it stands, a status code's
// as well: for hosts, regions and codes use a part of type id.
func Normalise(text string) string {
	text = asciiDigits(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "))
	// A placeholder can end a shape that ran on before: a::a121212 is an address
	// once its number is gone. Each round takes letters or digits away for good,
	// so the rounds come to an end.
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
