package inbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// PagerDutyURL is the address of PagerDuty's Events API, for api_url.
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
	// Events are the delivery ids of the triggers that the alert has taken in.
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

// pdEvent is the part of an event that this inbox knows.
type pdEvent struct {
	RoutingKey string `json:"routing_key"`
	Action     string `json:"event_action"`
	DedupKey   string `json:"dedup_key"`
	Client     string `json:"client"`
	ClientURL  string `json:"client_url"`
	Payload    *struct {
		Summary   string            `json:"summary"`
		Source    string            `json:"source"`
		Severity  string            `json:"severity"`
		Timestamp *time.Time        `json:"timestamp"`
		Component string            `json:"component"`
		Group     string            `json:"group"`
		Class     string            `json:"class"`
		Details   map[string]string `json:"custom_details"`
	} `json:"payload"`
	Links []struct {
		Href string `json:"href"`
		Text string `json:"text"`
	} `json:"links"`
}

func (b *Inbox) pagerDuty(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	e, wrong := readEvent(body)
	b.mu.Lock()
	name, known := b.integrations[e.RoutingKey]
	b.mu.Unlock()
	if wrong == "" && !known {
		// PagerDuty takes an event for a key that it does not know, and drops it.
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

// fold takes an event into the alert of its key, or opens one. It reports
// whether anything came of it that was not there before.
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

// readEvent reads an event, or says what PagerDuty has against it ("Events API
// v2 overview").
func readEvent(body []byte) (e pdEvent, wrong string) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		return e, "Event object format is unrecognized"
	}
	switch {
	case len(body) > 512<<10:
		return e, "Event object exceeds size limit"
	case len(e.RoutingKey) != 32:
		return e, "Length of 'routing_key' is incorrect (should be 32 characters)"
	case e.Action != "trigger" && e.Action != "acknowledge" && e.Action != "resolve":
		return e, "'event_action' is invalid"
	case utf8.RuneCountInString(e.DedupKey) > 255:
		return e, "'dedup_key' is too long"
	case e.Action != "trigger" && e.DedupKey == "":
		return e, "'dedup_key' is missing or blank"
	case e.Action == "trigger" || e.Payload != nil:
		return e, e.wrong()
	}
	return e, ""
}

// wrong says what a description lacks.
func (e pdEvent) wrong() string {
	p := e.Payload
	switch {
	case p == nil:
		return "'payload' is missing or blank"
	case p.Summary == "" || utf8.RuneCountInString(p.Summary) > 1024:
		return "'payload.summary' is missing, blank or too long"
	case p.Source == "":
		return "'payload.source' is missing or blank"
	case !slices.Contains([]string{"critical", "error", "warning", "info"}, p.Severity):
		return "'payload.severity' is invalid (must be one of the following: 'critical', 'warning', 'error' or 'info')"
	}
	for _, l := range e.Links {
		if !strings.HasPrefix(l.Href, "http://") && !strings.HasPrefix(l.Href, "https://") {
			return "'links' is invalid"
		}
	}
	return ""
}

func (e pdEvent) deliveryID() string {
	if e.Payload == nil {
		return ""
	}
	return lastID(e.Payload.Details["Delivery"])
}

func (e pdEvent) note() *Note {
	if e.Payload == nil {
		return &Note{Headline: e.Action, Lines: noteLines(e.DedupKey)}
	}
	n := &Note{Headline: e.Action + " (" + e.Payload.Severity + ") " + e.Payload.Summary}
	for _, name := range slices.Sorted(maps.Keys(e.Payload.Details)) {
		n.Lines = append(n.Lines, noteLines(fact(name, e.Payload.Details[name]))...)
	}
	for _, l := range e.Links {
		n.Lines = append(n.Lines, Line{Text: l.Text + " (" + l.Href + ")"})
	}
	n.Lines = append(n.Lines, noteLines(e.DedupKey)...)
	return n
}
