package delivery

import "time"

// Class is the whole vocabulary of what can become of one send.
type Class string

// The classes. Ambiguous means the provider may or may not have accepted:
// a timeout after the request was written, a connection cut before the answer.
const (
	Accepted    Class = "accepted"
	Temporary   Class = "temporary"
	RateLimited Class = "rate_limited"
	Permanent   Class = "permanent"
	Ambiguous   Class = "ambiguous"
)

// Outcome is what one send came to. None of its texts may hold a secret, an
// address or a URL: they are logged and stored.
type Outcome struct {
	Class Class
	// Status is the HTTP status, zero when there was no answer.
	Status int
	// Code is the provider's word ("channel_is_archived") or ours for a
	// failure without an answer ("timeout", "connection_refused", "dns_failure").
	Code string
	// Host is where there was no answer from; empty where there was one.
	Host string
	// ProviderID is the provider's own id of the accepted message.
	ProviderID string
	// RetryAfter is how long the provider asked us to wait; zero if it did not.
	RetryAfter time.Duration
	// Misconfigured tells that an operator of ours can put it right: an address,
	// a permission. The message is good, and waits for that.
	Misconfigured bool
}

// SecretUnavailable is the Code of a send that did not begin, because a secret of
// its destination could not be read.
const SecretUnavailable = "secret_unavailable"

// repairWait is how long a message waits at least for an operator to put right
// what keeps it from going.
const repairWait = 5 * time.Minute

// Misconfiguration is the outcome of a send that our own configuration keeps from
// being taken. It certainly has not arrived.
func Misconfiguration(status int, code string) Outcome {
	return Outcome{Class: Temporary, Status: status, Code: code, RetryAfter: repairWait, Misconfigured: true}
}
