package pagerduty_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/pagerduty"
	"github.com/ringonce/ringonce/internal/sendertest"
)

const key = "0123456789abcdef0123456789s3cr3t"

// now is when the tests' Retry-After dates are read.
func now() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }

func start(t testing.TB) (*inbox.Inbox, pagerduty.To) {
	t.Helper()
	box, err := inbox.Start(inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	return box, pagerduty.To{APIURL: box.PagerDutyURL(), RoutingKey: box.RoutingKey("payments"), Severity: "error"}
}

func TestConformance(t *testing.T) {
	sendertest.Run(t, sendertest.Channel{
		Render: pagerduty.Render,
		Sender: func(_ testing.TB, base string, via http.RoundTripper) sendertest.Send {
			s := pagerduty.NewSender(via, now)
			return func(ctx context.Context, p []byte) delivery.Outcome {
				return s.Send(ctx, p, pagerduty.To{APIURL: base, RoutingKey: key, Severity: "error"})
			}
		},
		Strict: func(t testing.TB) sendertest.Send {
			_, to := start(t)
			s := pagerduty.NewSender(nil, now)
			return func(ctx context.Context, p []byte) delivery.Outcome {
				o := s.Send(ctx, p, to)
				o.ProviderID = ""
				return o
			}
		},
		Secrets: []string{key, "s3cr3t"}, Idempotent: true,
		Answers: answers(t),
	})
}

func answers(t *testing.T) []sendertest.Answer {
	permanent, temporary := delivery.Permanent, delivery.Temporary
	out := func(c delivery.Class, status int, code string, wait time.Duration) delivery.Outcome {
		return delivery.Outcome{Class: c, Status: status, Code: code, RetryAfter: wait}
	}
	is := sendertest.Expect
	return []sendertest.Answer{
		is("accepted", 202, nil, recorded(t, "events_v2_202.json"), out(delivery.Accepted, 202, "", 0)),
		is("accepted, our key", 202, nil, `{"status":"success","message":"Event processed","dedup_key":"ringonce/production/k1/error/project=example-app/issue=6507376925#2"}`,
			delivery.Outcome{Class: delivery.Accepted, Status: 202, ProviderID: "ringonce/production/k1/error/project=example-app/issue=6507376925#2"}),
		is("invalid", 400, nil, recorded(t, "events_v2_400.json"), out(permanent, 400, "invalid_event", 0)),
		is("bad gateway's 400", 400, nil, "<html>"+key, out(permanent, 400, "http_400", 0)),
		is("202 that is not PagerDuty's", 202, nil, "<html>", out(delivery.Ambiguous, 202, "unexpected_answer", 0)),
		is("200 that is not PagerDuty's", 200, nil, `{"status":"success"}`, out(delivery.Ambiguous, 200, "unexpected_answer", 0)),
		is("rate", 429, nil, "", out(delivery.RateLimited, 429, "rate_limited", 0)),
		is("rate, seconds", 429, map[string]string{"Retry-After": "30"}, "", out(delivery.RateLimited, 429, "rate_limited", 30*time.Second)),
		is("error", 500, nil, `{"status":"error"}`, out(temporary, 500, "http_500", 0)),
		is("unavailable", 503, nil, key, out(temporary, 503, "http_503", 0)),
		is("forbidden", 403, nil, "", out(permanent, 403, "http_403", 0)),
		is("redirect", 301, map[string]string{"Location": "https://elsewhere.example.com"}, "", out(permanent, 301, "redirect", 0)),
	}
}

func recorded(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../../testdata/vendors/pagerduty/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(data) {
		t.Fatalf("%s is no JSON", name)
	}
	return string(data)
}
