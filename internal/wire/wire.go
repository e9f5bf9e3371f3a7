// Package wire classifies HTTP requests that got no answer. All senders share it, so
// that the line between "surely not sent" and "may have arrived" is drawn in one
// place.
package wire

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Request tracks whether one request has left this machine.
type Request struct{ out atomic.Bool }

// Watch returns a context for one request, and the Request that later reports whether
// it left this machine.
//
// A request counts as sent from the moment its header is passed to the connection, a
// little before the first byte leaves. An error in the other direction could send a
// message twice; this one only doubts a message that was never sent. A new connection
// resets it: net/http uses another connection for a POST only if nothing was written
// to the first.
func Watch(ctx context.Context) (context.Context, *Request) {
	r := &Request{}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:      func(string) { r.out.Store(false) },
		WroteHeaders: func() { r.out.Store(true) },
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err != nil {
				r.out.Store(false)
			}
		},
	}), r
}

// Outcome classifies an error that came instead of an answer. It holds none of the
// error's text, which may contain a URL.
func (r *Request) Outcome(err error) delivery.Outcome {
	if r.out.Load() {
		return delivery.Outcome{Class: delivery.Ambiguous, Code: code(err)}
	}
	return delivery.Outcome{Class: delivery.Temporary, Code: code(err)}
}
