package redact

import (
	"regexp"
	"strings"
	"sync"
)

// pattern is a regular expression that is compiled on first use: all of them together
// would add a millisecond to every function's start, and most texts need none.
type pattern struct{ compiled func() *regexp.Regexp }

func later(text string) pattern {
	return pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// slashed is a pattern for the start of addresses, whose slashes may be escaped as in
// JSON; the match includes the rest of the address.
func slashed(text string) pattern {
	return pattern{sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(strings.ReplaceAll(text, "/", `\\?/`) + `[^\s<>"'|{]+`)
	})}
}

func (p pattern) MatchString(s string) bool            { return p.compiled().MatchString(s) }
func (p pattern) FindString(s string) string           { return p.compiled().FindString(s) }
func (p pattern) FindStringIndex(s string) []int       { return p.compiled().FindStringIndex(s) }
func (p pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

func (p pattern) ReplaceAllStringFunc(s string, by func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, by)
}

func (p pattern) ReplaceAllLiteralString(s, by string) string {
	return p.compiled().ReplaceAllLiteralString(s, by)
}

func (p pattern) ReplaceAllString(s, by string) string {
	return p.compiled().ReplaceAllString(s, by)
}
