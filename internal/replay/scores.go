package replay

import (
	"strings"
	"time"
)

// Score is one figure by which policies are compared. Less is always better.
type Score struct {
	Name string
	// Meaning describes in one line what it counts or measures.
	Meaning string
	// Truth says that it is defined only if the trace has truth.
	Truth bool
	// Time says that it is a time, in seconds, rather than a count.
	Time bool

	of func(t *Tally) (float64, bool)
}

// Of returns the score's value; false if it is undefined, like the mean of nothing.
func (s Score) Of(t *Tally) (float64, bool) { return s.of(t) }

// Scores returns all scores, in the order of the reports.
func Scores() []Score {
	return []Score{
		number("missed_opens", true, "real failures never told", func(t *Tally) int { return t.MissedOpens }),
		number("late_opens", true, "real failures told later than the limit", func(t *Tally) int { return t.LateOpens }),
		number("duplicate_opens", true, "opens beyond the first for one real failure", func(t *Tally) int { return t.DuplicateOpens }),
		number("false_opens", true, "opens with no real failure behind them", func(t *Tally) int { return t.FalseOpens }),
		number("premature_resolves", true, "resolves while a real failure went on", func(t *Tally) int { return t.PrematureResolves }),
		mean("truth_to_open", true, "mean time from a real failure's beginning to its open", func(t *Tally) *Durations { return &t.TruthToOpen }),
		mean("truth_to_resolve", true, "mean time from a real failure's end to the resolve", func(t *Tally) *Durations { return &t.TruthToResolve }),
		mean("failure_to_open", false, "mean time from the first failing verdict to the open", func(t *Tally) *Durations { return &t.FailureToOpen }),
		mean("health_to_resolve", false, "mean time from the first of the lasting healthy verdicts to the resolve", func(t *Tally) *Durations { return &t.HealthToResolve }),
		{Name: "longest_silence", Time: true, Meaning: "longest time that an open incident went without a notice", of: func(t *Tally) (float64, bool) {
			return t.LongestSilence.Seconds(), t.Opens > 0
		}},
		number("reminders", false, "reminders sent", func(t *Tally) int { return t.Reminders }),
		number("notices", false, "opens, reminders and resolves together", func(t *Tally) int { return t.Told() }),
	}
}

func number(name string, truth bool, meaning string, of func(*Tally) int) Score {
	return Score{Name: name, Truth: truth, Meaning: meaning, of: func(t *Tally) (float64, bool) {
		return float64(of(t)), true
	}}
}

func mean(name string, truth bool, meaning string, of func(*Tally) *Durations) Score {
	return Score{Name: name, Truth: truth, Time: true, Meaning: meaning, of: func(t *Tally) (float64, bool) {
		d := of(t)
		return d.Mean().Seconds(), d.Count() > 0
	}}
}

// seconds returns a score's value as a time in whole seconds.
func seconds(v float64) time.Duration { return time.Duration(v+0.5) * time.Second }

// Label returns the name with blanks.
func (s Score) Label() string { return strings.ReplaceAll(s.Name, "_", " ") }
