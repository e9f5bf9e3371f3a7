package slack

import (
	"context"
	"net/http"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// Timeout bounds one send, from dialling to the end of the answer. Slack sometimes
// takes three seconds and more to answer; giving up sooner makes the outcome of good
// deliveries unknown.
const Timeout = 10 * time.Second

// Sender posts rendered messages to incoming webhooks. It tries once; the ledger,
// which knows about other workers, does the retries.
type Sender struct {
	client wire.Client
	now    func() time.Time
}

// NewSender returns a Sender over a transport; nil is http.DefaultTransport. now is
// called only to read a Retry-After that is a date.
func NewSender(transport http.RoundTripper, now func() time.Time) *Sender {
	return &Sender{client: wire.NewClient(transport, Timeout), now: now}
}

// Send posts one payload to a webhook and returns the outcome. The outcome holds
// neither the URL nor any text of the answer except Slack's known words.
func (s *Sender) Send(ctx context.Context, payload []byte, webhookURL string) delivery.Outcome {
	answer, o, ok := s.client.Post(ctx, webhookURL, http.Header{"Content-Type": {"application/json; charset=utf-8"}}, payload)
	if !ok {
		return o
	}
	return outcome(answer, s.now())
}
