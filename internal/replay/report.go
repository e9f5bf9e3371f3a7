package replay

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Report is a result in the form that is shown and stored.
type Report struct {
	Traces        []string `json:"traces"`
	Rows          int64    `json:"rows"`
	Keys          int      `json:"keys"`
	KeysWithTruth int      `json:"keys_with_truth"`
	First         string   `json:"first,omitempty"`
	Last          string   `json:"last,omitempty"`
	LateAfter     string   `json:"late_after"`
	Currency      string   `json:"currency"`
	// Undefined names the scores that need a truth that the traces lack.
	Undefined []string     `json:"undefined"`
	Policies  []Assessment `json:"policies"`

	scores []Score
}

// Assessment is one policy and its scores.
type Assessment struct {
	// Number counts the policies of a report from 1; the first is the base. Hash and
	// Policy are empty if the policy depends on the observation.
	Number int              `json:"number"`
	Name   string           `json:"name"`
	Hash   string           `json:"hash,omitempty"`
	Policy *incident.Policy `json:"policy,omitempty"`
	// Unbeaten: no other policy is as good on every score and better on one.
	Unbeaten bool `json:"unbeaten"`
	// Scores by name; null if undefined. Times are in seconds.
	Scores map[string]*float64 `json:"scores"`
	// Times holds the distributions behind the scores that are means.
	Times    map[string]*Durations `json:"times"`
	Counts   Counts                `json:"counts"`
	Messages []Notification        `json:"messages"`
	Cost     float64               `json:"cost"`
	Reasons  map[incident.Code]int `json:"reasons"`
	tally    *Tally
}

// Counts are figures that explain the scores but do not compare policies.
type Counts struct {
	Opens        int `json:"opens"`
	Reminders    int `json:"reminders"`
	Resolves     int `json:"resolves"`
	StillOpen    int `json:"still_open"`
	RealFailures int `json:"real_failures"`
	Noise        int `json:"noise"`
}

// NewReport scores a result. traces are the names that the report shows.
func NewReport(r *Result, traces []string, lateAfter time.Duration, pricing Pricing) *Report {
	rep := &Report{
		Traces: traces, Rows: r.Rows, Keys: r.Keys, KeysWithTruth: r.KeysWithTruth,
		LateAfter: lateAfter.String(), Currency: pricing.Currency, Undefined: []string{}, scores: Scores(),
	}
	if r.Rows > 0 {
		rep.First, rep.Last = observation.FormatTick(r.First), observation.FormatTick(r.Last)
	}
	for _, s := range rep.scores {
		if s.Truth && r.KeysWithTruth == 0 {
			rep.Undefined = append(rep.Undefined, s.Name)
		}
	}
	for i, c := range r.Candidates {
		rep.Policies = append(rep.Policies, rep.assess(i+1, c, r.Tallies[i], pricing))
	}
	rep.markUnbeaten()
	return rep
}

func (rep *Report) assess(number int, c Candidate, t *Tally, pricing Pricing) Assessment {
	a := Assessment{
		Number: number, Name: c.Name, Scores: make(map[string]*float64), Reasons: t.Reasons, tally: t,
		Counts: Counts{t.Opens, t.Reminders, t.Resolves, t.StillOpen, t.RealFailures, t.Noise()},
		Times: map[string]*Durations{
			"truth_to_open": &t.TruthToOpen, "truth_to_resolve": &t.TruthToResolve,
			"failure_to_open": &t.FailureToOpen, "health_to_resolve": &t.HealthToResolve,
		},
	}
	if c.For == nil {
		a.Policy, a.Hash = &c.Policy, c.Policy.Hash()
	}
	for _, s := range rep.scores {
		a.Scores[s.Name] = nil
		if v := rep.value(s, t); v.defined {
			a.Scores[s.Name] = &v.v
		}
	}
	a.Messages, a.Cost = pricing.bill(t)
	return a
}

func (rep *Report) value(s Score, t *Tally) value {
	v, defined := s.Of(t)
	return value{v, defined && !(s.Truth && rep.KeysWithTruth == 0)}
}

func (rep *Report) markUnbeaten() {
	rows := make([][]value, len(rep.Policies))
	for i, a := range rep.Policies {
		for _, s := range rep.scores {
			rows[i] = append(rows[i], rep.value(s, a.tally))
		}
		rows[i] = append(rows[i], value{a.Cost, true})
	}
	for i, mark := range unbeaten(rows) {
		rep.Policies[i].Unbeaten = mark
	}
}

// WriteJSON writes the report as one indented JSON document.
func (rep *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(rep); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
