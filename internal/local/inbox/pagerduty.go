package inbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"slices"
)

// PagerDutyURL returns the address of PagerDuty's Events API, for api_url.
func (b *Inbox) PagerDutyURL() string { return "http://" + b.addr + "/pagerduty" }

// RoutingKey opens an integration of the given name and returns its key.
func (b *Inbox) RoutingKey(name string) string {
	sum := sha256.Sum256([]byte("ringonce local pagerduty " + name))
	key := hex.EncodeToString(sum[:16])
	b.mu.Lock()
	defer b.mu.Unlock()
	b.integrations[key] = name
	return key
}

// Alert is an alert in PagerDuty.
type Alert struct {
	// Target is the name of the integration.
	Target   string
	DedupKey string
	Severity string
	Resolved bool
	// Events are the delivery ids of the triggers that were merged into the alert.
	Events []string
}

// Alerts returns PagerDuty's alerts, in the order in which they were opened.
func (b *Inbox) Alerts() []Alert {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := slices.Clone(b.alerts)
	for i := range out {
		out[i].Events = slices.Clone(out[i].Events)
	}
	return out
}

func (b *Inbox) pagerDuty(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	e, wrong := readEvent(body)
	b.mu.Lock()
	name, known := b.integrations[e.RoutingKey]
	b.mu.Unlock()
	if wrong == "" && !known {
		// PagerDuty accepts an event for a routing key that it does not know, and drops it.
		b.reply(w, Call{}, processed(e.DedupKey))
		return
	}
	s := service{
		call:     Call{Target: name, DeliveryID: e.deliveryID()},
		message:  Message{Channel: PagerDuty, Target: name, DeliveryID: e.deliveryID(), Body: body, Note: e.note()},
		fault:    func(f Fault) reply { return reply{status: f.Status, header: retryAfter(f)} },
		limited:  reply{status: http.StatusTooManyRequests},
		accepted: func(Message) reply { return processed(e.DedupKey) },
		known:    func() bool { return !b.fold(name, e) },
	}
	if wrong != "" {
		s.refusal = &reply{status: http.StatusBadRequest, body: `{"status":"invalid event","message":"Event object is invalid","errors":[` + quote(wrong) + `]}`}
	}
	b.receive(w, r, s)
}

func processed(key string) reply {
	return reply{status: http.StatusAccepted, body: `{"status":"success","message":"Event processed","dedup_key":` + quote(key) + `}`}
}

func quote(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// fold merges an event into the alert of its key, or opens one. It reports whether
// the event changed anything.
func (b *Inbox) fold(target string, e pdEvent) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.alerts, func(a Alert) bool {
		return a.Target == target && a.DedupKey == e.DedupKey && !a.Resolved
	})
	switch {
	case e.Action == "resolve" && i < 0:
		return false
	case e.Action == "resolve":
		b.alerts[i].Resolved = true
		return true
	case i < 0:
		b.alerts = append(b.alerts, Alert{Target: target, DedupKey: e.DedupKey, Severity: e.Payload.Severity, Events: []string{e.deliveryID()}})
		return true
	case slices.Contains(b.alerts[i].Events, e.deliveryID()):
		return false
	default:
		b.alerts[i].Events = append(b.alerts[i].Events, e.deliveryID())
		return true
	}
}
