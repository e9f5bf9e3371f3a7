package replay

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Tally is the result of one policy over a whole trace.
//
// A *real failure* is a run of ticks of one key whose truth is failing: it begins at
// the first of them and ends at the first later tick whose truth is healthy. A tick
// without truth has that of the tick before. An open is *about* the real failure in
// progress at its tick; else about the last one that ended, if its failing streak
// began before that end; else about none.
type Tally struct {
	// Opens, Reminders and Resolves are the notices, one per action however many
	// destinations it goes to. A notice at the end of a silence counts as a reminder.
	Opens     int
	Reminders int
	Resolves  int
	// StillOpen counts the incidents that are open when the trace ends.
	StillOpen int

	// RealFailures counts them; the five fields below are defined only if the trace
	// has truth.
	RealFailures int
	// MissedOpens are real failures that no open was about, and during which the
	// incident was not open already.
	MissedOpens int
	// LateOpens are real failures whose first open came more than LateAfter after
	// their start.
	LateOpens int
	// DuplicateOpens are opens about a real failure that another open had reported,
	// or during which the incident had been open.
	DuplicateOpens int
	// FalseOpens are opens about no real failure.
	FalseOpens int
	// PrematureResolves are resolves at a tick at which a real failure is in
	// progress.
	PrematureResolves int
	// TruthToOpen is the time from the start of a real failure to the first open
	// about it. A failure that finds its incident open has none.
	TruthToOpen Durations
	// TruthToResolve is the time from the end of a real failure to the resolve that
	// follows before the next one begins.
	TruthToResolve Durations

	// FailureToOpen is the time from the first failing verdict of a streak to its
	// open; HealthToResolve the time from the first healthy verdict after the last
	// failing one to the resolve. Neither needs truth.
	FailureToOpen   Durations
	HealthToResolve Durations
	// LongestSilence is the longest time that an open incident went without a notice:
	// the cost of a long cooldown.
	LongestSilence time.Duration

	// Notices counts notices by owner.
	Notices map[string]int
	// Reasons counts decisions by reason.
	Reasons map[incident.Code]int
}

func newTally() *Tally {
	return &Tally{Notices: make(map[string]int), Reasons: make(map[incident.Code]int)}
}

// Told returns the number of all notices.
func (t *Tally) Told() int { return t.Opens + t.Reminders + t.Resolves }

// Noise returns the number of notices about nothing new or nothing real: reminders,
// duplicate and false opens.
func (t *Tally) Noise() int { return t.Reminders + t.DuplicateOpens + t.FalseOpens }

// MissedOrLate returns the number of real failures reported late or not at all.
func (t *Tally) MissedOrLate() int { return t.MissedOpens + t.LateOpens }
