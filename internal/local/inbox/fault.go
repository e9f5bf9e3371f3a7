package inbox

import (
	"net/http"
	"strconv"
)

// Fault is one failure of a service.
type Fault struct {
	// Status and Word are the answer: Slack's error, or the name of SES's exception.
	// A Status of zero answers as usual.
	Status int
	Word   string
	// RetryAfter is the Retry-After header, if not empty.
	RetryAfter string
	// Accept accepts the message all the same, before the fault.
	Accept bool
	// Close cuts the connection instead of answering.
	Close bool
	// Hold delays the request until it is closed or the client has gone away.
	Hold <-chan struct{}
}

// ServerError answers with status 500 and the service's error for it.
func ServerError() Fault { return Fault{Status: http.StatusInternalServerError} }

// RateLimited answers with status 429 and the number of seconds to wait.
func RateLimited(seconds int) Fault {
	return Fault{Status: http.StatusTooManyRequests, RetryAfter: strconv.Itoa(seconds)}
}

// Gone answers as Slack does for a webhook that was removed.
func Gone() Fault { return Fault{Status: http.StatusNotFound, Word: "no_service"} }

// AcceptAndClose accepts the message and cuts the connection before the answer.
func AcceptAndClose() Fault { return Fault{Accept: true, Close: true} }

// Hang keeps the request open until released, then answers as usual.
func Hang(release <-chan struct{}) Fault { return Fault{Hold: release} }

// Script makes the next calls to a target fail, in order. The target is the name of a
// webhook or the address of a recipient.
func (b *Inbox) Script(target string, faults ...Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults[target] = append(b.faults[target], faults...)
}

// Heal removes the remaining faults of a target.
func (b *Inbox) Heal(target string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.faults, target)
}

// nextFault takes the fault of the first target that has one.
func (b *Inbox) nextFault(targets ...string) Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range targets {
		if left := b.faults[t]; len(left) > 0 {
			b.faults[t] = left[1:]
			return left[0]
		}
	}
	return Fault{}
}

// misbehave applies a fault beyond its status. It returns only if there is still a
// client to answer.
func (f Fault) misbehave(r *http.Request) {
	if f.Hold != nil {
		select {
		case <-f.Hold:
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
	}
	if f.Close {
		panic(http.ErrAbortHandler)
	}
}
