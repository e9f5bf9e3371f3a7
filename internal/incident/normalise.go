package incident

import (
	"regexp"
	"strings"
)

const (
	weekday = `(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs?)?|Fri|Sat(?:ur)?|Sun)(?:day)?`
	month   = `(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)`
	clock   = `\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?`
)

// structured are the shapes that only make sense whole; they go before single
// words are looked at. Order matters: an e-mail may hold a number, a time may
// look like an address.
var structured = []struct {
	re          *regexp.Regexp
	placeholder string
}{
	{regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`), "{email}"},
	{regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "{uuid}"},
	{regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}:?\d{2})?`), "{time}"},
	// The dates of RFC 1123, of time.ANSIC, and of prose: a day and a named month.
	{regexp.MustCompile(`\b(?:` + weekday + `,? )?(?:\d{1,2}[ -]` + month + `|` + month + `\.? \d{1,2})\b(?:,?[ -]\d{4}\b)?(?: ` + clock + `\b)?(?: \d{4}\b)?`), "{time}"},
	{regexp.MustCompile(`\b` + clock + `\b`), "{time}"},
	{regexp.MustCompile(`\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b`), "{ip}"},
	{regexp.MustCompile(`(?i)\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b|(?i)\b(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}\b`), "{ip}"},
	{regexp.MustCompile(`(?i)\b0x[0-9a-f]+\b`), "{hex}"},
}

// pod is what Kubernetes puts behind a deployment's name: the hash of the pod's
// template and a random suffix, in the alphabet of its util/rand package, which
// has no vowels and no digits that look like letters.
var pod = regexp.MustCompile(`(?:-[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b)+`)

// withoutPods keeps the deployment's name of each pod. Without a digit and a
// letter a suffix may be words, or numbers; before a placeholder it is half a word.
func withoutPods(text string) string {
	var b strings.Builder
	from := 0
	for _, at := range pod.FindAllStringIndex(text, -1) {
		suffix := text[at[0]:at[1]]
		if countDigits(suffix) == 0 || !strings.ContainsAny(suffix, "bcdfghjklmnpqrstvwxz") || strings.HasPrefix(text[at[1]:], "{") {
			continue
		}
		b.WriteString(text[from:at[0]] + "-{id}")
		from = at[1]
	}
	return b.String() + text[from:]
}

var number = regexp.MustCompile(`^\d+(?:[.,]\d+)*$`)

// Normalise takes the volatile text out of a key part, so that a request id, a
// time, a number or an address in a vendor's title does not make a new
// incident of every event. Normalising twice gives the same as once.
//
//   - e-mail addresses, UUIDs, times and dates, IP addresses, 0x numbers become
//     {email}, {uuid}, {time}, {ip}, {hex}; so the ids in a path go, its words stay;
//   - numbers become {n}, with a unit of up to three letters kept: 1711.36ms
//     is {n}ms; so does a word of eight or more hex digits, since a hash may by
//     chance hold no letter;
//   - any other word of sixteen or more characters becomes {id} when it has at
//     least four digits, or digits in two places;
//   - a word that ends in five or more digits keeps its letters: order{n};
//   - the two random parts of a pod's name become {id}: checkout-{id};
//   - white space is folded to single blanks.
//
// Names such as s3, http2, server5 or node-a stay, and so do short ids and short
// hashes such as A1001. A number is volatile wherever it stands, a status code's
// as well: for hosts, regions and codes use a part of type id.
func Normalise(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
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
		text = s.re.ReplaceAllString(text, s.placeholder)
	}
	return replaceWords(withoutPods(text))
}

// replaceWords walks the text and normalises each run of letters and digits; a
// point or comma between two digits belongs to the run.
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
	if number.MatchString(w) || (len(w) >= 8 && isHex(w)) {
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
