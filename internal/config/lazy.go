package config

import (
	"regexp"
	"sync"
)

// lazily compiles an expression when it is first needed: every function reads a
// configuration when it starts, and few have all that there may be in one.
func lazily(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
