package webhook

import (
	"context"
	"net/http"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// Timeout bounds one send, from dialling to the end of the answer.
const Timeout = 15 * time.Second

// Sender posts rendered documents. It tries once; the ledger does the retries.
type Sender struct {
	client wire.Client
	now    func() time.Time
}

// NewSender returns a Sender over a transport; nil is http.DefaultTransport. now
// dates the signatures.
func NewSender(transport http.RoundTripper, now func() time.Time) *Sender {
	return &Sender{client: wire.NewClient(transport, Timeout), now: now}
}

// To is the receiver of a document. Both fields may be secret.
type To struct {
	URL string
	// SigningSecrets is one secret, or several separated by blanks during a rotation.
	SigningSecrets string
}

// Send posts one document and returns the outcome, which holds nothing of the
// receiver's answer.
func (s *Sender) Send(ctx context.Context, payload []byte, to To, deliveryID string) delivery.Outcome {
	now := s.now()
	signature, ok := sign(to.SigningSecrets, deliveryID, now, payload)
	if !ok {
		return delivery.Misconfiguration(0, "bad_signing_secret")
	}
	answer, o, ok := s.client.Post(ctx, to.URL, http.Header{
		"Content-Type":      {"application/json"},
		"User-Agent":        {"Ringonce"},
		"Idempotency-Key":   {deliveryID},
		"Webhook-Id":        {deliveryID},
		"Webhook-Timestamp": {seconds(now)},
		"Webhook-Signature": {signature},
	}, payload)
	if !ok {
		return o
	}
	return outcome(answer, s.now())
}

// outcome is the only place that maps a receiver's answers to outcomes: 2xx is
// accepted, whatever the body, and any other status means what it means in HTTP,
// except for 409: "The Idempotency-Key HTTP Header Field" (IETF draft of the HTTPAPI
// group) uses it for a key whose first request is still in progress.
func outcome(a wire.Answer, now time.Time) delivery.Outcome {
	switch {
	case a.Status >= 200 && a.Status < 300:
		return delivery.Outcome{Class: delivery.Accepted, Status: a.Status}
	case a.Status == http.StatusConflict:
		return delivery.Outcome{Class: delivery.Temporary, Status: a.Status, Code: "still_in_progress"}
	default:
		return wire.Refused(a, now)
	}
}
