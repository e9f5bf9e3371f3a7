package incident

import (
	"strings"
)

// pod matches what Kubernetes appends to a deployment's name: the hash of the pod
// template and a random suffix, in the alphabet of its util/rand package, which
// has no vowels and no digits that look like letters.
var pod = lazily(`(?:-[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b)+`)

// withoutPods reduces each pod name to its deployment's name. A suffix must hold
// both a digit and a letter, since it may otherwise be words or numbers. One
// before a placeholder is part of a longer word and stays.
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

// prefixed matches identifiers whose prefix names their type, as payment providers
// and others use them: req_8fGk2LmPqR, evt_1NG8Du2eZvKYlo2C, sk_test_….
var prefixed = lazily(`\b([a-z]{2,5}_(?:(?:test|live)_)?)([A-Za-z0-9]{8,})\b`)

// withoutPrefixed reduces each such identifier to its prefix. The rest counts as
// random if it has digits in two places, or switches between upper case, lower
// case and digits more often than joined words do.
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

// changes counts the switches between digits, lower case and upper case in a word.
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
