package wire

import (
	"strings"

	"github.com/ringonce/ringonce/internal/redact"
)

// Failure is the code of a network error that has no more specific code.
const Failure = "network_failure"

// code returns the kind of a network error in one word: timeout, connection_refused,
// dns_failure, tls_failure.
func code(err error) string {
	words, _, _ := strings.Cut(redact.Error(err), ":")
	return strings.ReplaceAll(words, " ", "_")
}
