// Package wire tells what became of an HTTP request that brought no answer. All
// senders share it, so that the line between "surely not sent" and "may have
// arrived" is drawn once.
package wire

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Request watches one request on its way out.
type Request struct{ out atomic.Bool }

// Watch returns a context for one request, and the Request that tells
// afterwards whether it left this machine.
//
// The request counts as out from the moment its header is handed to the
// connection, a little before the first byte leaves: an error on this side of
// the line could send a message twice, one on the other side only calls a
// message doubtful that was never sent. A new connection puts it back: net/http
// takes another one for a POST only when nothing was written to the first.
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

// Outcome classifies an error that came instead of an answer. It holds nothing
// of the error's text, which may hold a URL.
func (r *Request) Outcome(err error) delivery.Outcome {
	if r.out.Load() {
		return delivery.Outcome{Class: delivery.Ambiguous, Code: code(err)}
	}
	return delivery.Outcome{Class: delivery.Temporary, Code: code(err)}
}
