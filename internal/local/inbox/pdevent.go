package inbox

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// pdEvent is the part of an event that this inbox understands.
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

// readEvent reads an event, or returns PagerDuty's error for it ("Events API v2
// overview").
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

// wrong returns what a description lacks.
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
