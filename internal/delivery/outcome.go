package delivery

import "time"

// Class classifies the outcome of one send.
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

// Outcome is the outcome of one send. Its texts are logged and stored, so none may
// hold a secret, an address or a URL.
type Outcome struct {
	Class Class
	// Status is the HTTP status, zero when there was no answer.
	Status int
	// Code is the provider's error code ("channel_is_archived"), or ours for a
	// failure without an answer ("timeout", "connection_refused", "dns_failure").
	Code string
	// Host is the host that did not answer; empty if there was an answer.
	Host string
	// ProviderID is the provider's own id of the accepted message.
	ProviderID string
	// RetryAfter is how long the provider asked us to wait; zero if it did not.
	RetryAfter time.Duration
	// Misconfigured reports that our operator can fix the cause, such as an address
	// or a permission. The message itself is valid and waits for the fix.
	Misconfigured bool
}

// SecretUnavailable is the Code of a send that did not start because a secret of its
// destination could not be read.
const SecretUnavailable = "secret_unavailable"

// repairWait is the minimum wait before a misconfigured send is retried.
const repairWait = 5 * time.Minute

// Misconfiguration returns the outcome of a send that failed because of our own
// configuration. It has certainly not arrived.
func Misconfiguration(status int, code string) Outcome {
	return Outcome{Class: Temporary, Status: status, Code: code, RetryAfter: repairWait, Misconfigured: true}
}
