package pagerduty

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strconv"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/wire"
)

// event is the body of an API call. RoutingKey and Severity come from the
// configuration at each send and are not frozen, since the key is a secret.
type event struct {
	RoutingKey string   `json:"routing_key,omitempty"`
	Action     string   `json:"event_action"`
	DedupKey   string   `json:"dedup_key"`
	Payload    *payload `json:"payload,omitempty"`
	Client     string   `json:"client,omitempty"`
	Links      []link   `json:"links,omitempty"`
}

type payload struct {
	Summary   string            `json:"summary"`
	Source    string            `json:"source"`
	Severity  string            `json:"severity,omitempty"`
	Timestamp time.Time         `json:"timestamp,omitzero"`
	Component string            `json:"component,omitempty"`
	Group     string            `json:"group,omitempty"`
	Class     string            `json:"class,omitempty"`
	Details   map[string]string `json:"custom_details,omitempty"`
}

type link struct {
	Href string `json:"href"`
	Text string `json:"text"`
}

// PagerDuty accepts 1,024 characters of summary, 255 of deduplication key and 512 KB
// in all ("Events API v2 overview"). The other limits keep one alert readable, and
// far below 512 KB.
const (
	maxSummary  = 1024
	maxDedupKey = 255
	maxDetail   = 2000
	maxShort    = 255
	maxLink     = 2000
	maxSamples  = 4000

	detailLines = 60
)

// Render turns a notice into an event. Equal notices give equal bytes, as does a
// notice that may be a repeat: PagerDuty recognises repeats by the key.
func Render(n notice.Notice) []byte {
	e := event{Action: "trigger", DedupKey: dedupKey(n)}
	switch n.Action {
	case incident.Resolve, notice.ActionRestored:
		e.Action = "resolve"
	}
	e.fill(n)
	return wire.JSON(e)
}

// fill describes what happened. PagerDuty does not need that with a resolve, but logs
// it in the alert.
func (e *event) fill(n notice.Notice) {
	n.MayBeRepeat = false
	w := n.Words()
	e.Client = "Ringonce"
	e.Payload = &payload{
		Summary:   clip(w.Headline+": "+notice.OneLine(w.Summary), 1, maxSummary),
		Source:    or(short(n.Source), "ringonce"),
		Timestamp: n.Tick,
		Component: short(n.Title), Group: short(n.Environment), Class: short(n.Kind),
		Details: details(w),
	}
	if w.Link != "" && len(w.Link) <= maxLink {
		e.Links = append(e.Links, link{Href: w.Link, Text: short(w.LinkLabel)})
	}
	if w.Page != "" && len(w.Page) <= maxLink {
		e.Links = append(e.Links, link{Href: w.Page, Text: w.PageLabel})
	}
}

// details returns the facts of a notice by label.
func details(w notice.Words) map[string]string {
	d := map[string]string{"Delivery": w.Delivery, "Incident": clip(w.Key, 1, maxDetail), "Summary": clip(w.Summary, detailLines, maxDetail)}
	put := func(label, value string) {
		if value != "" {
			d[label] = clip(value, detailLines, maxDetail)
		}
	}
	put("What to do", w.Todo.Value)
	put("Why now", w.Why)
	for _, f := range w.Facts {
		put(f.Label, f.Value)
	}
	samples := make([]string, len(w.Samples))
	for i, s := range w.Samples {
		samples[i] = clip(s, detailLines, maxDetail)
	}
	kept, more := notice.Plain.Fit(samples, maxSamples)
	for i, s := range kept {
		d["Sample "+strconv.Itoa(i+1)] = s
	}
	if more > 0 {
		d["More samples"] = "+" + strconv.Itoa(more) + " more from the source"
	}
	return d
}

// dedupKey identifies an episode of an incident in an environment: all its messages
// share it, and the next episode has another. A key that is too long is hashed.
func dedupKey(n notice.Notice) string {
	key := "ringonce/" + url.PathEscape(n.Environment) + "/" + n.IncidentKey + "#" + strconv.Itoa(n.Episode)
	if len(key) <= maxDedupKey {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return "ringonce/v1/" + hex.EncodeToString(sum[:])
}

func short(s string) string { return clip(notice.OneLine(s), 1, maxShort) }

func clip(s string, lines, length int) string { return notice.Plain.Clip(s, lines, length) }

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
