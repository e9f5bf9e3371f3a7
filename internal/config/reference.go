package config

import (
	"regexp"
	"strings"
)

// secretForms lists the forms of references for a message.
const secretForms = "ssm:/path/of/parameter, env:VARIABLE or file:/path"

// referenceNames are the valid names of each kind of reference. Parameter names
// follow AWS's rules ("Parameter name requirements and constraints" in the Systems
// Manager user guide); variable names follow POSIX.
var referenceNames = map[string]func() *regexp.Regexp{
	"ssm":  lazily(`^/?[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*$`),
	"env":  lazily(`^[A-Za-z_][A-Za-z0-9_]*$`),
	"file": lazily(`^[^\x00-\x1f]+$`),
}

// IsReference reports whether a value is a reference to a secret (ssm:NAME, env:NAME,
// file:PATH). A header's value that is not is sent as it stands.
func IsReference(value string) bool {
	scheme, name, ok := strings.Cut(value, ":")
	if !ok {
		return false
	}
	form, known := referenceNames[scheme]
	return known && form().MatchString(name)
}

// startsLikeReference reports a text that begins like a reference, whose name may be
// invalid.
func startsLikeReference(value string) bool {
	scheme, _, ok := strings.Cut(value, ":")
	return ok && referenceNames[scheme] != nil
}
