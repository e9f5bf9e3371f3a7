// Package trace reads and writes histories of verdicts: what sources reported about
// incident keys at which ticks and, if it is known, what was true. A trace is CSV or
// JSON lines, optionally compressed with gzip, and is read row by row, so that its
// length costs no memory.
package trace

import (
	"iter"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Row is one observation of a trace, with the truth if the trace has it.
type Row struct {
	observation.Observation
	// Truth is whether the subject was really failing or healthy at that tick; empty
	// if nobody knows.
	Truth observation.Verdict
	// Said, if not empty, makes the row not an observation but a decision made after
	// those of its tick: that a person has acknowledged the incident (ack) or
	// withdrawn that (unack), or that a silence has ended. By is the person, or the
	// silence.
	Said incident.Action
	By   string
}

// Decision returns the decision of a row that is not an observation.
func (r Row) Decision() incident.Decision {
	codes := map[incident.Action]incident.Code{
		incident.Ack: incident.AckGiven, incident.Unack: incident.AckTaken, incident.SilenceEnded: incident.SilenceOver,
	}
	return incident.Decision{
		IncidentKey: r.IncidentKey, Action: r.Said, Tick: r.Tick, Source: r.Source,
		Reason: incident.Reason{Code: codes[r.Said], By: r.By}.String(),
	}
}

// Rows is a sequence of rows. It ends after the first error. Ranging over it again
// reads it again from the start.
type Rows = iter.Seq2[Row, error]

// Of returns the rows of observations in memory, without truth.
func Of(observations []observation.Observation) Rows {
	return func(yield func(Row, error) bool) {
		for _, o := range observations {
			if !yield(Row{Observation: o}, nil) {
				return
			}
		}
	}
}
