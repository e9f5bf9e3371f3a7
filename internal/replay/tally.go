package replay

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Tally is what one policy came to over a whole trace.
//
// A *real failure* is a row of ticks of one key whose truth is failing: it
// begins at the first of them and ends at the first later tick whose truth is
// healthy. Ticks without truth go on with what was said last. An open is
// *about* the real failure that is going on at its tick; else about the last
// one that ended, if its failing streak began before that end; else about none.
type Tally struct {
	// Opens, Reminders and Resolves are the notices, one per action however
	// many destinations it goes to. What is told when a silence has ended counts
	// as a reminder.
	Opens     int
	Reminders int
	Resolves  int
	// StillOpen counts the incidents open when the trace ends.
	StillOpen int

	// RealFailures counts them; the five that follow are only defined where
	// the trace has truth.
	RealFailures int
	// MissedOpens are real failures that no open was about, and during which
	// the incident was never open already.
	MissedOpens int
	// LateOpens are real failures whose first open came more than LateAfter
	// after their beginning.
	LateOpens int
	// DuplicateOpens are opens about a real failure of which another open had
	// told, or during which the incident was open before.
	DuplicateOpens int
	// FalseOpens are opens about no real failure.
	FalseOpens int
	// PrematureResolves are resolves at a tick at which a real failure goes on.
	PrematureResolves int
	// TruthToOpen is the time from the beginning of a real failure to the first
	// open about it. A failure that finds its incident open has none.
	TruthToOpen Durations
	// TruthToResolve is the time from the end of a real failure to the resolve
	// that follows before the next one begins.
	TruthToResolve Durations

	// FailureToOpen is the time from the first failing verdict of a streak to
	// the open that it led to; HealthToResolve the time from the first healthy
	// verdict after the last failing one to the resolve. Both need no truth.
	FailureToOpen   Durations
	HealthToResolve Durations
	// LongestSilence is the longest time that an open incident went without a
	// notice: what a long cooldown costs.
	LongestSilence time.Duration

	// Notices counts notices by owner.
	Notices map[string]int
	// Reasons counts decisions by reason.
	Reasons map[incident.Code]int
}

func newTally() *Tally {
	return &Tally{Notices: make(map[string]int), Reasons: make(map[incident.Code]int)}
}

// Told is the number of all notices.
func (t *Tally) Told() int { return t.Opens + t.Reminders + t.Resolves }

// Noise is the number of notices that tell of nothing new or nothing real:
// reminders, duplicate and false opens.
func (t *Tally) Noise() int { return t.Reminders + t.DuplicateOpens + t.FalseOpens }

// Missed is the number of real failures told late or not at all.
func (t *Tally) MissedOrLate() int { return t.MissedOpens + t.LateOpens }
