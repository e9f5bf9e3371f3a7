package incident

import (
	"strings"
)

// pod is what Kubernetes puts behind a deployment's name: the hash of the pod's
// template and a random suffix, in the alphabet of its util/rand package, which
// has no vowels and no digits that look like letters.
var pod = lazily(`(?:-[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b)+`)

// withoutPods keeps the deployment's name of each pod. Without a digit and a
// letter a suffix may be words, or numbers; before a placeholder it is half a word.
func withoutPods(text string) string {
	var b strings.Builder
	from := 0
	for _, at := range pod().FindAllStringIndex(text, -1) {
		suffix := text[at[0]:at[1]]
		if countDigits(suffix) == 0 || !strings.ContainsAny(suffix, "bcdfghjklmnpqrstvwxz") || strings.HasPrefix(text[at[1]:], "{") {
			continue
		}
		b.WriteString(text[from:at[0]] + "-{id}")
		from = at[1]
	}
	return b.String() + text[from:]
}

// prefixed is an identifier with a prefix that says of what, as payment providers
// and many others write them: req_8fGk2LmPqR, evt_1NG8Du2eZvKYlo2C, sk_test_….
var prefixed = lazily(`\b([a-z]{2,5}_(?:(?:test|live)_)?)([A-Za-z0-9]{8,})\b`)

// withoutPrefixed keeps the prefix of each such identifier. What comes after it is
// random where it has digits in two places, or changes between capitals, small
// letters and digits more often than joined words do.
func withoutPrefixed(text string) string {
	if strings.IndexByte(text, '_') < 0 {
		return text
	}
	return prefixed().ReplaceAllStringFunc(text, func(m string) string {
		at := strings.LastIndexByte(m, '_') + 1
		if id := m[at:]; countDigits(id) == 0 || (digitRuns(id) < 2 && changes(id)*5 < 2*(len(id)-1)) {
			return m
		}
		return m[:at] + "{id}"
	})
}

// changes counts where a word goes on in another kind of character.
func changes(w string) int {
	kind := func(c byte) int {
		switch {
		case digit(c):
			return 0
		case c >= 'a':
			return 1
		default:
			return 2
		}
	}
	n := 0
	for i := 1; i < len(w); i++ {
		if kind(w[i]) != kind(w[i-1]) {
			n++
		}
	}
	return n
}
