package config

import (
	"regexp"
	"sync"
)

// lazily compiles an expression on first use: every function reads a configuration
// when it starts, and few configurations need all expressions.
func lazily(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
