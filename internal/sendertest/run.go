package sendertest

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
)

// Send sends one payload.
type Send func(ctx context.Context, payload []byte) delivery.Outcome

// Channel describes a channel to Run.
type Channel struct {
	// Render returns the payload of a notice.
	Render func(notice.Notice) []byte
	// Sender sends to a server at a base URL such as http://127.0.0.1:1234,
	// through a transport; nil is the usual one.
	Sender func(t testing.TB, base string, via http.RoundTripper) Send
	// Strict sends to a server as strict as the provider.
	Strict func(t testing.TB) Send
	// Secrets are what Sender knows and nobody else may learn: the path of a webhook,
	// an address.
	Secrets []string
	// StatusSuffices says that any 2xx is an acceptance by contract, whatever its
	// body.
	StatusSuffices bool
	// Idempotent says that the provider recognises a repeat, so that a possible
	// repeat is sent as the same bytes.
	Idempotent bool
	// Answers map each answer of the provider to its outcome.
	Answers []Answer
}

// Answer is one answer of a provider and the outcome that it must give.
type Answer struct {
	Name   string
	Status int
	Header map[string]string
	Body   string
	Want   delivery.Outcome
}

// Expect returns an Answer in one line.
func Expect(name string, status int, header map[string]string, body string, want delivery.Outcome) Answer {
	return Answer{Name: name, Status: status, Header: header, Body: body, Want: want}
}

// Run checks that a channel keeps the rules of every sender.
func Run(t *testing.T, c Channel) {
	logs := captureLogs(t)
	t.Run("answers", func(t *testing.T) { c.answers(t) })
	t.Run("echoes", func(t *testing.T) { c.echoes(t) })
	t.Run("no answer", func(t *testing.T) { c.noAnswer(t) })
	t.Run("frozen", func(t *testing.T) { c.frozen(t) })
	t.Run("limits", func(t *testing.T) { c.limits(t) })
	c.leaks(t, "the log", logs.String())
}

// captureLogs redirects the default logger for the duration of the test.
func captureLogs(t *testing.T) *bytes.Buffer {
	var buf bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&buf, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	return &buf
}

// frozen: equal notices give equal bytes, a notice survives the outbox's JSON, and a
// message that is sent twice is the same both times.
func (c Channel) frozen(t *testing.T) {
	for _, e := range Examples() {
		first := c.Render(e.Notice)
		stored, err := json.Marshal(e.Notice)
		if err != nil {
			t.Fatal(err)
		}
		var back notice.Notice
		if err := json.Unmarshal(stored, &back); err != nil {
			t.Fatal(err)
		}
		if again := c.Render(back); !bytes.Equal(first, again) {
			t.Errorf("%s: rendered anew from the outbox it differs:\n%s\n%s", e.Name, first, again)
		}
		c.sentTwice(t, e.Name, first)
		back.MayBeRepeat = true
		if again := c.Render(back); c.Idempotent && !bytes.Equal(first, again) && !e.Notice.MayBeRepeat {
			t.Errorf("%s: as a possible repeat it differs:\n%s\n%s", e.Name, first, again)
		}
	}
}

func (c Channel) sentTwice(t *testing.T, name string, payload []byte) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	send := c.Sender(t, s.URL, nil)
	for range 2 {
		send(t.Context(), payload)
	}
	if bodies := s.bodies(); len(bodies) != 2 || bodies[0] != bodies[1] {
		t.Errorf("%s: a retry does not send the same bytes: %q", name, bodies)
	}
}

// limits: whatever a vendor writes, the provider accepts the message.
func (c Channel) limits(t *testing.T) {
	send := c.Strict(t)
	for _, e := range Examples() {
		if o := send(t.Context(), c.Render(e.Notice)); o.Class != delivery.Accepted {
			t.Errorf("%s: refused by the provider: %+v", e.Name, o)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		payload := c.Render(AnyNotice(rt))
		if o := send(t.Context(), payload); o.Class != delivery.Accepted {
			rt.Fatalf("refused by the provider: %+v\n%s", o, payload)
		}
	})
}
