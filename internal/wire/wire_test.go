package wire_test

import (
	"context"
	"errors"
	"net/http/httptrace"
	"net/url"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// The line between "surely not sent" and "may have arrived". What real
// connections do on either side of it, every sender's conformance test shows.
func TestTheLine(t *testing.T) {
	err := &url.Error{Op: "Post", URL: "https://secret.example.com", Err: context.DeadlineExceeded}
	broken := httptrace.WroteRequestInfo{Err: errors.New("broken pipe")}
	for name, x := range map[string]struct {
		steps func(*httptrace.ClientTrace)
		want  delivery.Class
	}{
		"no connection":               {func(h *httptrace.ClientTrace) { h.GetConn("") }, delivery.Temporary},
		"nothing at all":              {func(*httptrace.ClientTrace) {}, delivery.Temporary},
		"handed over":                 {func(h *httptrace.ClientTrace) { h.WroteHeaders() }, delivery.Ambiguous},
		"written":                     {func(h *httptrace.ClientTrace) { h.WroteHeaders(); h.WroteRequest(httptrace.WroteRequestInfo{}) }, delivery.Ambiguous},
		"written in part":             {func(h *httptrace.ClientTrace) { h.WroteHeaders(); h.WroteRequest(broken) }, delivery.Temporary},
		"taken to another connection": {func(h *httptrace.ClientTrace) { h.WroteHeaders(); h.GetConn("") }, delivery.Temporary},
	} {
		ctx, r := wire.Watch(t.Context())
		x.steps(httptrace.ContextClientTrace(ctx))
		if got, want := r.Outcome(err), (delivery.Outcome{Class: x.want, Code: "timeout"}); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// A code is one word, whatever the error.
func TestCodes(t *testing.T) {
	_, r := wire.Watch(t.Context())
	if got := r.Outcome(errors.New("x: https://secret.example.com")).Code; got != wire.Failure {
		t.Errorf("code %q, want %q", got, wire.Failure)
	}
}
