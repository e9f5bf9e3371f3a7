package explain

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// Evidence is the first and the last failing observation.
type Evidence struct {
	First *Seen `json:"first,omitempty"`
	Last  *Seen `json:"last,omitempty"`
}

// Seen is what a vendor reported at one tick.
type Seen struct {
	Tick    time.Time `json:"tick,omitzero"`
	Source  string    `json:"source"`
	Status  string    `json:"status,omitempty"`
	Summary string    `json:"summary"`
	notice.Evidence
}

// fillEvidence reads the first and the last failing observation in full.
func (x *Explainer) fillEvidence(ctx context.Context, key string, e *Evidence) error {
	for _, seen := range []*Seen{e.First, e.Last} {
		if seen == nil {
			continue
		}
		err := x.Store.Observations(ctx, key, seen.Tick, seen.Tick, func(o observation.Observation) error {
			if o.Source == seen.Source {
				*seen = seenFrom(o)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func seenFrom(o observation.Observation) Seen {
	return Seen{
		Tick: o.Tick, Source: o.Source, Status: notice.OneLine(o.Status), Summary: notice.Clean(o.Summary),
		Evidence: notice.FromEvidence(o.Evidence),
	}
}

// facts returns the last evidence as labelled values, with the tick of the first.
func (ev Evidence) facts() []Fact {
	if ev.Last == nil {
		return []Fact{{"none", "nothing stored of it"}}
	}
	e := *ev.Last
	all := []Fact{
		{"summary", e.Summary},
		{"status there", e.Status},
		{"link", notice.SafeLink(e.Link)},
		{"id there", e.VendorID},
		{"stage", e.Stage},
		{"deployment", e.Deployment},
		{"correlation id", e.CorrelationID},
	}
	if e.Count > 0 {
		all = append(all, Fact{"seen there", count(int(e.Count), "time")})
	}
	for _, f := range []struct {
		label string
		time  time.Time
	}{{"first event", e.FirstSeen}, {"last event", e.LastSeen}, {"newest evidence", e.Tick}} {
		if !f.time.IsZero() {
			all = append(all, Fact{f.label, f.time.UTC().Format("2006-01-02 15:04:05 UTC")})
		}
	}
	if ev.First != nil && !ev.First.Tick.Equal(e.Tick) {
		all = append(all, Fact{"first evidence", ev.First.Tick.UTC().Format("2006-01-02 15:04:05 UTC")})
	}
	for _, s := range e.Samples {
		all = append(all, Fact{"sample", s})
	}
	return nonEmpty(all)
}

// link returns the address of the vendor's page, if it is safe to show.
func (ev Evidence) link() string {
	if ev.Last == nil {
		return ""
	}
	return notice.SafeLink(ev.Last.Link)
}

// evidenceAge says how old the newest evidence is.
func evidenceAge(e Evidence) string {
	if e.Last == nil || e.Last.Tick.IsZero() {
		return ""
	}
	return ", and the newest evidence is of " + stamp(e.Last.Tick)
}
