package explain

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// silencesOf returns the silences that suppressed a message of a report.
func (x *Explainer) silencesOf(rep *Report) []Silence {
	suppressed := map[string]int{}
	for _, d := range rep.Deliveries {
		if d.SilencedBy != "" {
			suppressed[d.SilencedBy]++
		}
	}
	all := []Silence{}
	for _, id := range slices.Sorted(maps.Keys(suppressed)) {
		s, _ := x.Silences.ByID(id)
		all = append(all, Silence{ID: id, Reason: notice.OneLine(s.Reason), Author: notice.OneLine(s.Author), Kept: suppressed[id]})
	}
	return all
}

// words names a silence with its reason and author, if they are known.
func (s Silence) words() string {
	text := "silence " + s.ID
	if s.Reason != "" {
		text += " (" + s.Reason + "; " + s.Author + ")"
	}
	return text
}

// noteText returns the note of a person with a decision, to follow its words.
func (e *Entry) noteText() string {
	if e.Note == "" {
		return ""
	}
	return ": " + notice.OneLine(e.Note)
}

// silencedText says to which destinations a decision was not sent, and by which
// silences, to follow its words.
func (e *Entry) silencedText() string {
	by := map[string][]string{}
	for to, id := range e.Silenced {
		by[id] = append(by[id], to)
	}
	text := ""
	for _, id := range slices.Sorted(maps.Keys(by)) {
		slices.Sort(by[id])
		text += "; kept from " + list(by[id]) + " by silence " + id
	}
	return text
}

// Quiet says what keeps an incident quiet at a time.
type Quiet struct {
	// Silences are the destinations that are silenced, each with the silence's id.
	Silences map[string]string `json:"silences,omitempty"`
	// All is set if every destination is silenced.
	All bool `json:"all,omitempty"`
	// Ack is the person who acknowledged the incident.
	Ack string `json:"ack,omitempty"`
}

// text returns a cell of a list, such as "mail-x silenced by s-1; taken on by alice".
func (q Quiet) text() string {
	text := ""
	ids := slices.Compact(slices.Sorted(maps.Values(q.Silences)))
	switch {
	case len(ids) > 0 && q.All:
		text = "silenced by " + list(ids)
	case len(ids) > 0:
		text = list(slices.Sorted(maps.Keys(q.Silences))) + " silenced by " + list(ids)
	}
	if q.Ack != "" {
		if text != "" {
			text += "; "
		}
		text += "taken on by " + q.Ack
	}
	return cmp.Or(text, "-")
}

// Statuses for a Filter in addition to those of Status.
const (
	SilencedStatus = "silenced"
	AckedStatus    = "acked"
)

// quietOf returns what keeps an open or failing incident quiet at a time. Without the
// configuration, only the destinations that were told or silenced so far are known.
func (x *Explainer) quietOf(s incident.State, now time.Time) Quiet {
	q := Quiet{Ack: s.Ack.By}
	if !s.Open && s.FailingStreak == 0 {
		return q
	}
	cfg, owner := x.Config, config.Owner{ID: s.Owner}
	if cfg == nil {
		cfg = &config.Config{}
		owner.Destinations = slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.Clone(s.Told), maps.Keys(s.Silenced)))))
	} else if o, ok := cfg.OwnerOf(s.Source); ok {
		owner = o
	} else if o, ok := cfg.Owners[s.Owner]; ok {
		owner = o
	}
	q.Silences = cfg.Kept(x.Silences, s, owner.ID, owner.Destinations, now)
	q.All = len(q.Silences) > 0 && len(q.Silences) == len(owner.Destinations)
	return q
}
