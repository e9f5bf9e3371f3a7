package webhook_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/webhook"
)

const (
	path   = "/in/s3cr3tp4th"
	secret = "s3cr3t-of-the-receiver"
	id     = "d1-0f59bfd88fc9759ef654"
)

// now dates signatures and is when the tests' Retry-After dates are read.
func now() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }

func start(t testing.TB) *inbox.Inbox {
	t.Helper()
	box, err := inbox.Start(inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	return box
}

func receiver(box *inbox.Inbox) webhook.To {
	return webhook.To{URL: box.ReceiverURL("erp"), SigningSecrets: box.SigningSecret("erp")}
}

func TestConformance(t *testing.T) {
	sendertest.Run(t, sendertest.Channel{
		Render: webhook.Render,
		Sender: func(_ testing.TB, base string, via http.RoundTripper) sendertest.Send {
			s := webhook.NewSender(via, now)
			return func(ctx context.Context, p []byte) delivery.Outcome {
				return s.Send(ctx, p, webhook.To{URL: base + path, SigningSecrets: secret}, id)
			}
		},
		Strict: func(t testing.TB) sendertest.Send {
			box := start(t)
			s := webhook.NewSender(nil, time.Now)
			return func(ctx context.Context, p []byte) delivery.Outcome {
				// A receiver of its own for each: they all have one delivery id.
				return s.Send(ctx, p, receiver(box), idOf(t, p))
			}
		},
		Secrets: []string{"s3cr3tp4th", secret}, StatusSuffices: true, Idempotent: true,
		Answers: answers(),
	})
}

func answers() []sendertest.Answer {
	permanent, temporary := delivery.Permanent, delivery.Temporary
	retry := func(v string) map[string]string { return map[string]string{"Retry-After": v} }
	out := func(c delivery.Class, status int, code string, wait time.Duration) delivery.Outcome {
		return delivery.Outcome{Class: c, Status: status, Code: code, RetryAfter: wait}
	}
	is := sendertest.Expect
	return []sendertest.Answer{
		is("ok", 200, nil, "whatever "+secret, out(delivery.Accepted, 200, "", 0)),
		is("created", 201, nil, "", out(delivery.Accepted, 201, "", 0)),
		is("accepted", 202, nil, `{"queued":true}`, out(delivery.Accepted, 202, "", 0)),
		is("no content", 204, nil, "", out(delivery.Accepted, 204, "", 0)),
		is("in progress", 409, nil, "", out(temporary, 409, "still_in_progress", 0)),
		is("other body", 422, nil, "", out(permanent, 422, "http_422", 0)),
		is("bad", 400, nil, secret, out(permanent, 400, "http_400", 0)),
		is("unsigned", 401, nil, "", out(permanent, 401, "http_401", 0)),
		is("forbidden", 403, nil, "", out(permanent, 403, "http_403", 0)),
		is("not found", 404, nil, path, out(permanent, 404, "http_404", 0)),
		is("gone", 410, nil, "", out(permanent, 410, "http_410", 0)),
		is("redirect", 308, map[string]string{"Location": "https://elsewhere.example.com" + path}, "", out(permanent, 308, "redirect", 0)),
		is("rate", 429, retry("30"), "", out(delivery.RateLimited, 429, "rate_limited", 30*time.Second)),
		is("rate, date", 429, retry("Fri, 02 Jan 2026 12:01:00 GMT"), "", out(delivery.RateLimited, 429, "rate_limited", time.Minute)),
		is("rate, no time", 429, nil, "", out(delivery.RateLimited, 429, "rate_limited", 0)),
		is("error", 500, nil, secret, out(temporary, 500, "http_500", 0)),
		is("maintenance", 503, retry("120"), "", out(temporary, 503, "http_503", 2*time.Minute)),
		is("timeout", 408, nil, "", out(temporary, 408, "http_408", 0)),
		is("too early", 425, nil, "", out(temporary, 425, "http_425", 0)),
	}
}
