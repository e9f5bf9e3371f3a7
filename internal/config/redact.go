package config

import (
	"fmt"
	"regexp"
)

const maxPatterns = 50

// redact reads the operator's own patterns.
func (f *fields) redact() []string {
	var patterns []string
	for i, e := range f.texts("redact") {
		if i == maxPatterns {
			f.fail("redact", fmt.Sprintf("more than %d patterns", maxPatterns), "join some with |")
			break
		}
		re, err := regexp.Compile(e.text)
		switch {
		case err != nil:
			e.fail("is not a regular expression of Go's regexp package", "see https://pkg.go.dev/regexp/syntax")
		case re.MatchString(""):
			e.fail("matches the empty text", "make it match at least one character")
		default:
			patterns = append(patterns, e.text)
		}
	}
	return patterns
}
