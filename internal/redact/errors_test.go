package redact

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestErrorUsesItsOwnWords(t *testing.T) {
	op := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	tests := []struct {
		err  error
		want string
	}{
		{nil, ""},
		{context.Canceled, "canceled"},
		{context.DeadlineExceeded, "timeout"},
		{op(os.ErrDeadlineExceeded), "timeout"},
		{op(&net.DNSError{Err: "no such host", Name: "h.example"}), "dns failure"},
		{op(os.NewSyscallError("connect", syscall.ECONNREFUSED)), "connection refused"},
		{op(os.NewSyscallError("read", syscall.ECONNRESET)), "connection reset"},
		{&net.OpError{Op: "proxyconnect", Err: syscall.ECONNREFUSED}, "proxy failure"},
		{x509.UnknownAuthorityError{}, "tls failure: the certificate is not trusted"},
		{errors.New("remote error: tls: internal error"), "tls failure"},
		{io.EOF, "connection closed too early"},
		{errors.New("secret-token said no"), "network failure"},
	}
	for _, tt := range tests {
		err := tt.err
		if err != nil {
			err = &url.Error{Op: "Get", URL: "https://h.example/secret-token", Err: fmt.Errorf("wrapped: %w", err)}
		}
		if got := Error(err); got != tt.want {
			t.Errorf("Error(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}

// case C7: what really goes wrong on a wire, with a token in the address.
func TestErrorNeverShowsTheAddress(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	cut := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer cut.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for base, want := range map[string]string{
		secure.URL: "tls failure",
		cut.URL:    "connection closed",
		gone.URL:   "connection refused",
		strings.Replace(cut.URL, "http:", "https:", 1): "tls failure",
	} {
		resp, err := (&http.Client{Transport: &http.Transport{}}).Get(base + "/hook/secret-token")
		if err == nil {
			_ = resp.Body.Close()
			t.Fatalf("%s answered", base)
		}
		if got := Error(err); !strings.HasPrefix(got, want) || strings.Contains(got, "secret") {
			t.Errorf("%s: Error = %q, want %q (from %v)", base, got, want, err)
		}
	}
}
