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
	// ProviderID is the provider's own id of the accepted message.
	ProviderID string
	// RetryAfter is how long the provider asked us to wait; zero if it did not.
	RetryAfter time.Duration
}
