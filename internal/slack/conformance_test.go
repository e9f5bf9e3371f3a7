package slack_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/slack"
)

const token = "/services/T0SECRET/B0SECRET/s3cr3tt0k3n"

// now is when the tests' Retry-After dates are read.
var now = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return now }

func TestConformance(t *testing.T) {
	sendertest.Run(t, sendertest.Channel{
		Render: slack.Render,
		Sender: func(_ testing.TB, base string, via http.RoundTripper) sendertest.Send {
			s := slack.NewSender(via, clock)
			return func(ctx context.Context, p []byte) delivery.Outcome { return s.Send(ctx, p, base+token) }
		},
		Strict: func(t testing.TB) sendertest.Send {
			box, err := inbox.Start(inbox.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(box.Close)
			url, s := box.WebhookURL("alerts"), slack.NewSender(nil, clock)
			return func(ctx context.Context, p []byte) delivery.Outcome { return s.Send(ctx, p, url) }
		},
		Secrets: []string{token, "T0SECRET", "s3cr3tt0k3n"},
		Answers: answers(),
	})
}

// answers holds cases C1 (429 with Retry-After), C2 (500) and C3 (404
// no_service, 410 channel_is_archived) as a sender sees them.
func answers() []sendertest.Answer {
	permanent, temporary, limited := delivery.Permanent, delivery.Temporary, delivery.RateLimited
	retry := func(v string) map[string]string { return map[string]string{"Retry-After": v} }
	out := func(c delivery.Class, status int, code string) delivery.Outcome {
		return delivery.Outcome{Class: c, Status: status, Code: code}
	}
	wait := func(d time.Duration) delivery.Outcome {
		return delivery.Outcome{Class: limited, Status: 429, Code: "rate_limited", RetryAfter: d}
	}
	is := sendertest.Expect
	return []sendertest.Answer{
		is("accepted", 200, nil, "ok", out(delivery.Accepted, 200, "ok")),
		is("accepted with a line end", 200, nil, "ok\n", out(delivery.Accepted, 200, "ok")),
		is("200 that is not ok", 200, nil, "<html>Sign in</html>", out(delivery.Ambiguous, 200, "unexpected_answer")),
		is("200 with nothing", 200, nil, "", out(delivery.Ambiguous, 200, "unexpected_answer")),
		is("payload", 400, nil, "invalid_payload", out(permanent, 400, "invalid_payload")),
		is("user", 400, nil, "user_not_found", out(permanent, 400, "user_not_found")),
		is("blocks", 400, nil, "invalid_blocks", out(permanent, 400, "invalid_blocks")),
		is("prohibited", 403, nil, "action_prohibited", out(permanent, 403, "action_prohibited")),
		is("token", 403, nil, "invalid_token", out(permanent, 403, "invalid_token")),
		is("channel", 404, nil, "channel_not_found", out(permanent, 404, "channel_not_found")),
		is("service", 404, nil, "no_service", out(permanent, 404, "no_service")),
		is("archived", 410, nil, "channel_is_archived", out(permanent, 410, "channel_is_archived")),
		is("404 of another server", 404, nil, "no page at "+token, out(permanent, 404, "http_404")),
		is("other refusal", 405, nil, "", out(permanent, 405, "http_405")),
		is("redirect", 302, map[string]string{"Location": "https://elsewhere.example.com" + token}, "", out(permanent, 302, "redirect")),
		is("rate, seconds", 429, retry("30"), `{"ok":false}`, wait(30*time.Second)),
		is("rate, date", 429, retry("Fri, 02 Jan 2026 12:01:00 GMT"), "rate_limited", wait(time.Minute)),
		is("rate, no time", 429, nil, "rate_limited", wait(0)),
		is("rollup", 500, nil, "rollup_error", out(temporary, 500, "rollup_error")),
		is("gateway", 503, nil, "upstream "+token, out(temporary, 503, "http_503")),
		is("slow request", 408, nil, "", out(temporary, 408, "http_408")),
	}
}
