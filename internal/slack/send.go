package slack

import (
	"context"
	"net/http"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// Timeout bounds one send, from dialling to the end of the answer. Slack is
// known to take three seconds and more over an answer; giving up sooner makes
// doubtful deliveries out of good ones.
const Timeout = 10 * time.Second

// Sender posts rendered messages to incoming webhooks. It tries once: retries
// are the ledger's, which knows of the other workers.
type Sender struct {
	client wire.Client
	now    func() time.Time
}

// NewSender returns a Sender over a transport; nil is http.DefaultTransport.
// now is asked only to read a Retry-After that is a date.
func NewSender(transport http.RoundTripper, now func() time.Time) *Sender {
	return &Sender{client: wire.NewClient(transport, Timeout), now: now}
}

// Send posts one payload to a webhook and says what became of it. Neither the
// URL nor anything that the other side wrote beyond Slack's known words is in
// the outcome.
func (s *Sender) Send(ctx context.Context, payload []byte, webhookURL string) delivery.Outcome {
	answer, o, ok := s.client.Post(ctx, webhookURL, http.Header{"Content-Type": {"application/json; charset=utf-8"}}, payload)
	if !ok {
		return o
	}
	return outcome(answer, s.now())
}
