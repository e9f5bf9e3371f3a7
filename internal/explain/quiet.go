package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// named says of every silence that kept a message back what is known of it.
func (x *Explainer) silencesOf(rep *Report) []Silence {
	kept := map[string]int{}
	for _, d := range rep.Deliveries {
		if d.SilencedBy != "" {
			kept[d.SilencedBy]++
		}
	}
	all := []Silence{}
	for _, id := range slices.Sorted(maps.Keys(kept)) {
		s, _ := x.Silences.ByID(id)
		all = append(all, Silence{ID: id, Reason: notice.OneLine(s.Reason), Author: notice.OneLine(s.Author), Kept: kept[id]})
	}
	return all
}

func (s Silence) words() string {
	text := "silence " + s.ID
	if s.Reason != "" {
		text += " (" + s.Reason + "; " + s.Author + ")"
	}
	return text
}

// said is what a person said with a decision.
func (e *Entry) noteText() string {
	if e.Note == "" {
		return ""
	}
	return ": " + notice.OneLine(e.Note)
}

// kept says from whom a decision was kept.
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

// quiet tells an episode's silences and acknowledgements.
func (ep Episode) quietWords(rep *Report) []string {
	var say []string
	for _, s := range rep.Silences {
		n := 0
		for _, d := range rep.Deliveries {
			if d.Episode == ep.Number && d.SilencedBy == s.ID {
				n++
			}
		}
		if n > 0 {
			say = append(say, fmt.Sprintf("%s kept back %s.", s.sentenceStart(), count(n, "message")))
		}
	}
	for _, e := range ep.entries(rep, incident.SilenceEnded) {
		say = append(say, fmt.Sprintf("It was still failing when a silence had ended: at %s that told %s.",
			e.DecidedAt.UTC().Format("15:04"), audience(rep, ep.Number, e.Sequence)))
	}
	for _, e := range ep.entries(rep, incident.Ack, incident.Unack) {
		say = append(say, fmt.Sprintf("At %s %s.", e.DecidedAt.UTC().Format("15:04"), e.Words))
	}
	return say
}

func (s Silence) sentenceStart() string { return "S" + s.words()[1:] }

// Quiet is what keeps an incident quiet as of a time.
type Quiet struct {
	// Silences are the destinations that a silence holds for, each with the
	// silence's id.
	Silences map[string]string `json:"silences,omitempty"`
	// All is set when there is no other destination.
	All bool `json:"all,omitempty"`
	// Ack names who has taken it on.
	Ack string `json:"ack,omitempty"`
}

// text is a cell of a list: "all, s-1" or "mail-x by s-1; ack alice".
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

// Words for a Filter beside those that Status gives.
const (
	SilencedStatus = "silenced"
	AckedStatus    = "acked"
)

// quiet is what keeps an incident that is not over quiet at a time. Without the
// configuration at hand only the destinations that were told, or kept from it, are
// known.
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
