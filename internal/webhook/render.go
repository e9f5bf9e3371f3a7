package webhook

import (
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/wire"
)

// version is the version of the document. Fields may be added within a version;
// receivers ignore those they do not know.
const version = 1

// document is the frozen body. Times are UTC, RFC 3339.
type document struct {
	Version int `json:"version"`
	// ID is the delivery id, the same as in the Idempotency-Key header.
	ID string `json:"id"`
	// Action is open, remind, resolve or silence_ended; digest for several messages
	// in one; refused or restored, to a fallback, about a destination.
	Action      string   `json:"action"`
	Environment string   `json:"environment"`
	Incident    incident `json:"incident"`
	// Headline describes what happened and where, in words.
	Headline       string `json:"headline"`
	Title          string `json:"title,omitempty"`
	Summary        string `json:"summary"`
	Source         string `json:"source"`
	Owner          string `json:"owner"`
	CostCenter     string `json:"cost_center,omitempty"`
	OperatorAction string `json:"operator_action,omitempty"`
	Why            string `json:"why,omitempty"`

	Since time.Time `json:"since,omitzero"`
	Until time.Time `json:"until,omitzero"`
	Tick  time.Time `json:"tick,omitzero"`
	// NoLongerReported distinguishes a resolve for lack of evidence from a recovery.
	NoLongerReported bool            `json:"no_longer_reported,omitempty"`
	Reminder         int             `json:"reminder,omitempty"`
	NextReminder     time.Time       `json:"next_reminder,omitzero"`
	Evidence         notice.Evidence `json:"evidence"`
	// Page is the signed link to the incident's page. Anyone who has it can open the
	// page, so it must not be logged.
	Page string `json:"page,omitempty"`
}

// incident identifies the incident, the episode, and the number of the message within
// the episode, counted from 1.
type incident struct {
	Key      string `json:"key"`
	Kind     string `json:"kind,omitempty"`
	Episode  int    `json:"episode"`
	Sequence int    `json:"sequence"`
}

// Lengths of foreign texts, in characters. They keep a document below 64 KiB in any
// script, which every receiver accepts.
const (
	maxText    = 4000
	maxShort   = 400
	maxKey     = 2048
	maxLink    = 2000
	maxSample  = 1000
	maxSamples = 4000

	textLines = 60
)

// Render turns a notice into the document. Equal notices give equal bytes, as does a
// notice that may be a repeat: the receiver recognises repeats by the key.
func Render(n notice.Notice) []byte {
	return wire.JSON(document{
		Version: version, ID: n.DeliveryID, Action: string(n.Action), Environment: short(n.Environment),
		Incident: incident{Key: clip(n.IncidentKey, 1, maxKey), Kind: short(n.Kind), Episode: n.Episode, Sequence: n.Sequence},
		Headline: short(n.Headline()), Title: short(n.Title), Summary: clip(n.Words().Summary, textLines, maxText),
		Source: short(n.Source), Owner: short(n.Owner), CostCenter: short(n.CostCenter),
		OperatorAction: clip(notice.OneLine(n.OperatorAction), 1, maxText), Why: short(n.Why),
		Since: n.Since, Until: n.Until, Tick: n.Tick,
		NoLongerReported: n.Missing, Reminder: n.Reminder, NextReminder: n.NextReminder,
		Evidence: evidence(n.Evidence), Page: notice.SafeLink(n.Page),
	})
}

func evidence(e notice.Evidence) notice.Evidence {
	e.Link = notice.SafeLink(e.Link)
	if len(e.Link) > maxLink {
		e.Link = "" // half a link opens something else
	}
	e.VendorID, e.Stage, e.Deployment, e.CorrelationID = short(e.VendorID), short(e.Stage), short(e.Deployment), short(e.CorrelationID)
	samples := make([]string, 0, len(e.Samples))
	for _, s := range e.Samples {
		if s = notice.Clean(s); s != "" {
			samples = append(samples, clip(s, textLines, maxSample))
		}
	}
	kept, more := notice.Plain.Fit(samples, maxSamples)
	if more > 0 {
		kept = append(kept[:len(kept):len(kept)], fmt.Sprintf("+%d more from the source", more))
	}
	e.Samples = kept
	return e
}

func short(s string) string { return clip(notice.OneLine(s), 1, maxShort) }

func clip(s string, lines, length int) string { return notice.Plain.Clip(s, lines, length) }
