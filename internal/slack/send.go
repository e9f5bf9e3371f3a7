package slack

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// Timeout bounds one send, from dialling to the end of the answer. Slack is
// known to take three seconds and more over an answer; giving up sooner makes
// doubtful deliveries out of good ones.
const Timeout = 10 * time.Second

// maxAnswer is more than any of Slack's answers: a word.
const maxAnswer = 4096

// Sender posts rendered messages to incoming webhooks. It tries once: retries
// are the ledger's, which knows of the other workers.
type Sender struct {
	client *http.Client
	now    func() time.Time
}

// NewSender returns a Sender over a transport; nil is http.DefaultTransport.
// now is asked only to read a Retry-After that is a date.
func NewSender(transport http.RoundTripper, now func() time.Time) *Sender {
	return &Sender{now: now, client: &http.Client{
		Transport: transport,
		Timeout:   Timeout,
		// The URL is the secret: it is not handed on to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send posts one payload to a webhook and says what became of it. Neither the
// URL nor anything that the other side wrote beyond Slack's known words is in
// the outcome.
//
// The request carries no Idempotency-Key: Slack has none, and net/http would
// take it as leave to repeat the POST by itself.
func (s *Sender) Send(ctx context.Context, payload []byte, webhookURL string) delivery.Outcome {
	if !wire.Safe(webhookURL) {
		return delivery.Misconfiguration(0, "bad_webhook_url")
	}
	ctx, out := wire.Watch(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, webhookURL, bytes.NewReader(payload))
	if err != nil {
		return delivery.Misconfiguration(0, "bad_webhook_url")
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	resp, err := s.client.Do(req)
	if err != nil {
		return out.Outcome(err)
	}
	defer resp.Body.Close()
	// A body that breaks off reads as far as it goes; what it means is judged
	// by the status.
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return outcome(resp.StatusCode, resp.Header, string(body), s.now())
}
