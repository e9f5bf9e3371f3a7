// Package trace reads and writes histories of verdicts: what sources said of
// incident keys at which ticks and, where somebody knows it, what was true.
// A trace is CSV or JSON lines, optionally compressed with gzip, and is read
// row by row: its length costs no memory.
package trace

import (
	"iter"

	"github.com/ringonce/ringonce/internal/observation"
)

// Row is one observation of a trace, with the truth where the trace has it.
type Row struct {
	observation.Observation
	// Truth is whether the thing was really failing or healthy at that tick;
	// empty where nobody knows.
	Truth observation.Verdict
}

// Rows is a sequence of rows. It ends after the first error. Ranging over it
// again reads it again from the start.
type Rows = iter.Seq2[Row, error]

// Of makes rows of observations that are in memory already, without truth.
func Of(observations []observation.Observation) Rows {
	return func(yield func(Row, error) bool) {
		for _, o := range observations {
			if !yield(Row{Observation: o}, nil) {
				return
			}
		}
	}
}
