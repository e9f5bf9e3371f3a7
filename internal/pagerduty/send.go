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

// Sender sends rendered events. It tries once: retries are the ledger's.
type Sender struct {
	client wire.Client
	now    func() time.Time
}

// NewSender returns a Sender over a transport; nil is http.DefaultTransport.
// now is asked only to read a Retry-After that is a date.
func NewSender(transport http.RoundTripper, now func() time.Time) *Sender {
	return &Sender{client: wire.NewClient(transport, Timeout), now: now}
}

// To is the integration that an event is for.
type To struct {
	// APIURL is the API's address without a path.
	APIURL string
	// RoutingKey is the integration's key, a secret.
	RoutingKey string
	// Severity is critical, error, warning or info.
	Severity string
}

// Send sends one event and says what became of it. Neither the key nor anything
// that the other side wrote is in the outcome, but for our deduplication key.
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

// outcome is the one place that says what an answer of PagerDuty means ("Events
// API v2 overview", response codes): 202 with the status success is accepted,
// 400 says that the event or its key will not do, now or later, and the rest is
// HTTP's. 202 with anything else is not PagerDuty's answer.
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
