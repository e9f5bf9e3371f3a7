package sendertest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"syscall"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
)

// noAnswer: a message that was surely not sent is temporary, one that may have
// arrived is ambiguous (case D4), and neither outcome reveals the destination (case
// C7).
func (c Channel) noAnswer(t *testing.T) {
	temporary, ambiguous := delivery.Temporary, delivery.Ambiguous
	inside := ambiguous
	if c.StatusSuffices {
		inside = delivery.Accepted
	}
	for _, x := range []struct {
		name  string
		class delivery.Class
		code  string
		send  func(*testing.T) delivery.Outcome
	}{
		{"refused", temporary, "connection_refused", c.refused},
		{"no such host", temporary, "dns_failure", c.noHost},
		{"certificate not trusted", temporary, "tls_failure", c.badCertificate},
		{"canceled before", temporary, "canceled", c.canceledBefore},
		{"cut without an answer", ambiguous, "", c.cut},
		{"cut inside the answer", inside, "", c.cutInside},
		{"timeout", ambiguous, "timeout", func(t *testing.T) delivery.Outcome { return c.givenUp(t, context.DeadlineExceeded) }},
		{"canceled after", ambiguous, "canceled", func(t *testing.T) delivery.Outcome { return c.givenUp(t, context.Canceled) }},
	} {
		t.Run(x.name, func(t *testing.T) {
			o := x.send(t)
			if o.Class != x.class || (x.code != "" && o.Code != x.code) || (o.Code == "") != (x.class == delivery.Accepted) {
				t.Errorf("outcome %+v, want %s %s", o, x.class, x.code)
			}
			c.leaks(t, "the outcome", fmt.Sprintf("%+v", o))
		})
	}
}

// refused sends to a port that is reserved and that nobody listens on: a port that a
// server has just released may belong to another process by now.
func (c Channel) refused(t *testing.T) delivery.Outcome {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	at, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return c.Sender(t, fmt.Sprintf("http://127.0.0.1:%d", at.(*syscall.SockaddrInet4).Port), nil)(t.Context(), c.payload())
}

func (c Channel) noHost(t *testing.T) delivery.Outcome {
	via := &http.Transport{DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
		return nil, &net.DNSError{Err: "no such host", Name: address, IsNotFound: true}
	}}
	return c.Sender(t, "https://provider.example.com", via)(t.Context(), c.payload())
}

func (c Channel) badCertificate(t *testing.T) delivery.Outcome {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = silent
	s.StartTLS()
	t.Cleanup(s.Close)
	return c.Sender(t, s.URL, nil)(t.Context(), c.payload())
}

func (c Channel) canceledBefore(t *testing.T) delivery.Outcome {
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := c.Sender(t, s.URL, nil)(ctx, c.payload())
	if n := len(s.bodies()); n > 0 {
		t.Errorf("%d requests after the cancel", n)
	}
	return o
}

func (c Channel) cut(t *testing.T) delivery.Outcome {
	s := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	o := c.Sender(t, s.URL, nil)(t.Context(), c.payload())
	if n := len(s.bodies()); n != 1 {
		t.Errorf("%d requests for one send: the message was repeated in silence", n)
	}
	return o
}

func (c Channel) cutInside(t *testing.T) delivery.Outcome {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	return c.Sender(t, s.URL, nil)(t.Context(), c.payload())
}

// givenUp cancels the wait for an answer as soon as the server has the request.
func (c Channel) givenUp(t *testing.T, why error) delivery.Outcome {
	ctx := &ended{Context: t.Context(), done: make(chan struct{}), why: why}
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		ctx.end()
		<-r.Context().Done()
	})
	return c.Sender(t, s.URL, nil)(ctx, c.payload())
}

// ended is a context that is ended by hand, with a chosen reason: that of a deadline,
// without waiting for one.
type ended struct {
	context.Context
	done chan struct{}
	once sync.Once
	why  error
}

func (e *ended) end() { e.once.Do(func() { close(e.done) }) }

func (e *ended) Done() <-chan struct{} { return e.done }

func (e *ended) Err() error {
	select {
	case <-e.done:
		return e.why
	default:
		return nil
	}
}
