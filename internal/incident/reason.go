package incident

import (
	"fmt"
	"time"
)

// Code names why a decision came out as it did. The list is closed.
type Code string

// Reasons for an action.
const (
	// FailingStreakReached opens: enough failing ticks in a row.
	FailingStreakReached Code = "failing_streak"
	// Reopened opens: failing again soon after the last resolve.
	Reopened Code = "reopened"
	// CooldownElapsed reminds.
	CooldownElapsed Code = "cooldown_elapsed"
	// Recovered resolves: enough healthy ticks in a row.
	Recovered Code = "recovered"
	// NoLongerReported resolves: a complete listing holds the key no more.
	NoLongerReported Code = "no_longer_reported"
)

// Reasons for none.
const (
	// BelowThreshold: failing, but not for enough ticks to open.
	BelowThreshold Code = "below_threshold"
	// CooldownActive: open and failing, and told recently enough.
	CooldownActive Code = "cooldown_active"
	// RemindersOff: the policy has no reminders.
	RemindersOff Code = "reminders_off"
	// MaxReminders: the episode has sent all its reminders.
	MaxReminders Code = "max_reminders"
	// HealthyStreak: open and healthy, but not for long enough to resolve.
	HealthyStreak Code = "healthy_streak"
	// NothingOpen: healthy, and nothing was open.
	NothingOpen Code = "nothing_open"
	// UnknownObservation: no evidence, so nothing moved.
	UnknownObservation Code = "unknown_observation"
	// StaleObservation: a repeated or older tick of the same source.
	StaleObservation Code = "stale_observation"
	// TickCounted: another source has moved the streak at this tick or later.
	TickCounted Code = "tick_counted"
	// OtherSourceFailing: healthy here, but another source still says failing.
	OtherSourceFailing Code = "other_source_failing"
)

// Reason is a Code with the numbers that explain it.
type Reason struct {
	Code Code
	// N of Of: streaks and thresholds; reminders sent of reminders allowed.
	N, Of int
	// At is the time the code speaks of: when the next reminder is due, or
	// when the last episode was resolved.
	At time.Time
	// Source is the other source that a code names.
	Source string
}

// String renders a reason as logs, rows and reports show it:
// "cooldown_active next=2026-01-02T12:30:00Z", "healthy_streak 1/2".
func (r Reason) String() string {
	switch r.Code {
	case FailingStreakReached, BelowThreshold, Recovered, NoLongerReported, HealthyStreak:
		return fmt.Sprintf("%s %d/%d", r.Code, r.N, r.Of)
	case MaxReminders:
		return fmt.Sprintf("%s %d/%d", r.Code, r.N, r.Of)
	case CooldownActive:
		return fmt.Sprintf("%s next=%s", r.Code, r.At.UTC().Format(time.RFC3339))
	case Reopened:
		return fmt.Sprintf("%s last_resolved=%s", r.Code, r.At.UTC().Format(time.RFC3339))
	case OtherSourceFailing:
		return fmt.Sprintf("%s source=%s", r.Code, r.Source)
	default:
		return string(r.Code)
	}
}
