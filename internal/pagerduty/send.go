package pagerduty

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// Timeout bounds one send, from dialling to the end of the answer.
const Timeout = 15 * time.Second

// Sender sends rendered events. It tries once; the ledger does the retries.
type Sender struct {
	client wire.Client
	now    func() time.Time
}

// NewSender returns a Sender over a transport; nil is http.DefaultTransport. now is
// called only to read a Retry-After that is a date.
func NewSender(transport http.RoundTripper, now func() time.Time) *Sender {
	return &Sender{client: wire.NewClient(transport, Timeout), now: now}
}

// To is the integration that an event is sent to.
type To struct {
	// APIURL is the API's address without a path.
	APIURL string
	// RoutingKey is the integration's key, a secret.
	RoutingKey string
	// Severity is critical, error, warning or info.
	Severity string
}

// Send sends one event and returns the outcome. The outcome holds neither the key nor
// any text of the answer, except Ringonce's own deduplication key.
func (s *Sender) Send(ctx context.Context, frozen []byte, to To) delivery.Outcome {
	var e event
	switch err := json.Unmarshal(frozen, &e); {
	case err != nil || e.DedupKey == "":
		return delivery.Outcome{Class: delivery.Permanent, Code: "bad_payload"}
	case strings.TrimSpace(to.RoutingKey) == "":
		return delivery.Misconfiguration(0, "no_routing_key")
	}
	e.RoutingKey = strings.TrimSpace(to.RoutingKey)
	if e.Payload != nil {
		e.Payload.Severity = to.Severity
	}
	answer, o, ok := s.client.Post(ctx, to.APIURL+"/v2/enqueue", http.Header{"Content-Type": {"application/json"}}, wire.JSON(e))
	if !ok {
		return o
	}
	return outcome(answer, e.DedupKey, s.now())
}

// outcome is the only place that maps PagerDuty's answers to outcomes ("Events API v2
// overview", response codes): 202 with the status success is accepted, 400 is
// permanent, since the event or its key is invalid, and any other status means what
// it means in HTTP. 202 with anything else is not PagerDuty's answer.
func outcome(a wire.Answer, dedupKey string, now time.Time) delivery.Outcome {
	var said struct {
		Status   string `json:"status"`
		DedupKey string `json:"dedup_key"`
	}
	readable := json.Unmarshal(a.Body, &said) == nil
	switch {
	case a.Status == http.StatusAccepted && readable && said.Status == "success":
		o := delivery.Outcome{Class: delivery.Accepted, Status: a.Status}
		if said.DedupKey == dedupKey {
			o.ProviderID = dedupKey
		}
		return o
	case a.Status == http.StatusBadRequest && readable && said.Status == "invalid event":
		return delivery.Outcome{Class: delivery.Permanent, Status: a.Status, Code: "invalid_event"}
	default:
		return wire.Refused(a, now)
	}
}
