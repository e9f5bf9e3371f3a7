package slack_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/slack"
)

const botToken = "xoxb-s3cr3t-t0k3n"

func TestBotConformance(t *testing.T) {
	sendertest.Run(t, sendertest.Channel{
		Render: slack.RenderBot,
		Sender: func(_ testing.TB, base string, via http.RoundTripper) sendertest.Send {
			s := slack.NewBot(via, clock)
			return func(ctx context.Context, p []byte) delivery.Outcome {
				return s.Send(ctx, p, slack.BotTo{APIURL: base, Token: botToken, Channel: "C024BE91L"}, slack.Context{})
			}
		},
		Strict: func(t testing.TB) sendertest.Send {
			box, to := startBot(t)
			s := slack.NewBot(nil, clock)
			_ = box
			return func(ctx context.Context, p []byte) delivery.Outcome { return s.Send(ctx, p, to, slack.Context{}) }
		},
		Secrets: []string{botToken, "s3cr3t"},
		Answers: botAnswers(),
	})
}

func botAnswers() []sendertest.Answer {
	permanent, temporary, ambiguous := delivery.Permanent, delivery.Temporary, delivery.Ambiguous
	out := func(c delivery.Class, status int, code string, wait time.Duration) delivery.Outcome {
		return delivery.Outcome{Class: c, Status: status, Code: code, RetryAfter: wait}
	}
	failure := func(word string) string { return `{"ok":false,"error":"` + word + `"}` }
	retry := map[string]string{"Retry-After": "30"}
	is := sendertest.Expect
	answers := []sendertest.Answer{
		is("ok", 200, nil, `{"ok":true,"channel":"C024BE91L","ts":"1503435956.000247","message":{"text":"x"}}`,
			delivery.Outcome{Class: delivery.Accepted, Status: 200, Code: "ok", ProviderID: "C024BE91L:1503435956.000247"}),
		is("ok without a name", 200, nil, `{"ok":true}`, out(ambiguous, 200, "unexpected_answer", 0)),
		is("ok with an odd name", 200, nil, `{"ok":true,"channel":"`+botToken+`","ts":"1"}`, out(ambiguous, 200, "unexpected_answer", 0)),
		is("ok is not JSON", 200, nil, "ok", out(ambiguous, 200, "unexpected_answer", 0)),
		is("no word", 200, nil, `{"ok":false}`, out(ambiguous, 200, "unexpected_answer", 0)),
		is("a new word", 200, nil, failure("s3cr3t_word"), out(permanent, 200, "unknown_error", 0)),
		is("rate", 429, retry, failure("ratelimited"), out(delivery.RateLimited, 429, "rate_limited", 30*time.Second)),
		is("rate with 200", 200, retry, failure("ratelimited"), out(delivery.RateLimited, 200, "rate_limited", 30*time.Second)),
		is("rate, older word", 200, nil, failure("rate_limited"), out(delivery.RateLimited, 200, "rate_limited", 0)),
		is("maybe done", 200, nil, failure("internal_error"), out(ambiguous, 200, "internal_error", 0)),
		is("maybe done, fatal", 200, nil, failure("fatal_error"), out(ambiguous, 200, "fatal_error", 0)),
		is("away", 200, nil, failure("service_unavailable"), out(temporary, 200, "service_unavailable", 0)),
		is("rotated", 200, nil, failure("token_expired"), out(temporary, 200, "token_expired", 0)),
		is("gateway", 503, nil, "upstream "+botToken, out(temporary, 503, "http_503", 0)),
		is("redirect", 302, map[string]string{"Location": "https://elsewhere.example.com"}, "", out(permanent, 302, "redirect", 0)),
		is("not found", 404, nil, "", out(permanent, 404, "http_404", 0)),
	}
	for _, word := range []string{
		"channel_not_found", "not_in_channel", "is_archived", "msg_too_long", "no_text", "invalid_auth", "not_authed",
		"account_inactive", "token_revoked", "missing_scope", "invalid_blocks", "restricted_action", "too_many_attachments",
	} {
		answers = append(answers, is(word, 200, nil, failure(word), out(permanent, 200, word, 0)))
	}
	return answers
}

// The golden of the payload is the webhook's but for what a bot adds.
func TestBotGolden(t *testing.T) {
	for _, e := range sendertest.Examples()[:1] {
		var pretty map[string]any
		if err := json.Unmarshal(slack.RenderBot(e.Notice), &pretty); err != nil {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(pretty, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		sendertest.Golden(t, "slack_bot/"+e.Name+".json", append(text, '\n'))
	}
	for _, e := range sendertest.Examples() {
		var bot, hook map[string]any
		if err := json.Unmarshal(slack.RenderBot(e.Notice), &bot); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(slack.Render(e.Notice), &hook); err != nil {
			t.Fatal(err)
		}
		delete(bot, "metadata")
		if b, h := mustJSON(t, bot), mustJSON(t, hook); b != h {
			t.Errorf("%s: a bot says\n%s\nand a webhook\n%s", e.Name, b, h)
		}
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
