package redact

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
)

// Error describes in a few fixed words why a network call failed. It repeats nothing
// of the error's own text: *url.Error prints the whole address, and others print what
// the server sent. The caller adds the host.
func Error(err error) string {
	if err == nil {
		return ""
	}
	for _, c := range causes {
		if c.is(err) {
			return c.words
		}
	}
	return "network failure"
}

// causes are tried in order: a timeout inside a TLS handshake is a timeout.
var causes = []struct {
	is    func(error) bool
	words string
}{
	{is(context.Canceled), "canceled"},
	{timedOut, "timeout"},
	{proxyFailure, "proxy failure"},
	{as[*net.DNSError], "dns failure"},
	{is(syscall.ECONNREFUSED), "connection refused"},
	{is(syscall.ECONNRESET), "connection reset"},
	{is(syscall.EPIPE), "connection reset"},
	{is(syscall.EHOSTUNREACH), "host unreachable"},
	{is(syscall.ENETUNREACH), "network unreachable"},
	{as[x509.UnknownAuthorityError], "tls failure: the certificate is not trusted"},
	{as[x509.HostnameError], "tls failure: the certificate is for another host"},
	{expired, "tls failure: the certificate has expired or is not valid yet"},
	{is(http.ErrSchemeMismatch), "tls failure: the server speaks plain HTTP"},
	{tlsFailure, "tls failure"},
	{is(io.ErrUnexpectedEOF), "connection closed too early"},
	{is(io.EOF), "connection closed too early"},
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func as[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

func timedOut(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return true
	}
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

func expired(err error) bool {
	e, ok := errors.AsType[x509.CertificateInvalidError](err)
	return ok && e.Reason == x509.Expired
}

func tlsFailure(err error) bool {
	return as[*tls.CertificateVerificationError](err) || as[tls.RecordHeaderError](err) || as[tls.AlertError](err) ||
		as[x509.CertificateInvalidError](err) || strings.Contains(err.Error(), "tls: ")
}

func proxyFailure(err error) bool {
	e, ok := errors.AsType[*net.OpError](err)
	return ok && e.Op == "proxyconnect"
}
