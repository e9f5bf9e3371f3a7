package incident

import (
	"fmt"
	"time"
)

// Code names the reason for a decision. Codes documents the closed list.
type Code string

// Reasons for an action.
const (
	FailingStreakReached Code = "failing_streak"
	Reopened             Code = "reopened"
	Flapping             Code = "flapping"
	CooldownElapsed      Code = "cooldown_elapsed"
	Recovered            Code = "recovered"
	NoLongerReported     Code = "no_longer_reported"
	NoLongerSeen         Code = "no_longer_seen"
	Lapsed               Code = "lapsed"
	SilenceOver          Code = "silence_ended"
	AckGiven             Code = "ack"
	AckTaken             Code = "unack"
)

// Reasons for None.
const (
	BelowThreshold     Code = "below_threshold"
	CooldownActive     Code = "cooldown_active"
	RemindersOff       Code = "reminders_off"
	MaxReminders       Code = "max_reminders"
	FlapDamped         Code = "flap_damped"
	HealthyStreak      Code = "healthy_streak"
	NothingOpen        Code = "nothing_open"
	UnknownObservation Code = "unknown_observation"
	StaleObservation   Code = "stale_observation"
	TickCounted        Code = "tick_counted"
	OtherSourceFailing Code = "other_source_failing"
	EvidenceRecent     Code = "evidence_recent"
	SourceNotAnswering Code = "source_not_answering"
	LapseOff           Code = "lapse_off"
	Acknowledged       Code = "acknowledged"
)

// Reason is a Code with the numbers that explain it.
type Reason struct {
	Code Code
	// N of Of: streaks and thresholds; reminders sent of reminders allowed.
	// Alone, N is the reminder's number, the opens of a flapping key, or the
	// last episode of a reopened one.
	N, Of int
	// At is when the named event is due or happened, depending on the code.
	At time.Time
	// Source is the source that the code refers to.
	Source string
	// By is the id of the ended silence, or the person who acknowledged.
	By string
	// Window is the period in which N opens made a key flapping.
	Window time.Duration
}

// Missing reports whether the reason for a resolve is that the key is no longer
// reported, or no longer seen to fail. That is weaker evidence than "recovered".
func (r Reason) Missing() bool {
	return r.Code == NoLongerReported || r.Code == NoLongerSeen || r.Code == Lapsed
}

// String formats the reason for logs, rows and reports:
// "cooldown_active next=2026-01-02T12:30:00Z", "healthy_streak 1/2".
func (r Reason) String() string {
	code := string(r.Code)
	switch r.Code {
	case FailingStreakReached, BelowThreshold, Recovered, NoLongerReported, NoLongerSeen, HealthyStreak, MaxReminders, FlapDamped:
		return fmt.Sprintf("%s %d/%d", code, r.N, r.Of)
	case CooldownElapsed:
		return fmt.Sprintf("%s reminder=%d", code, r.N)
	case Reopened:
		return fmt.Sprintf("%s last_episode=%d last_resolved=%s", code, r.N, stamp(r.At))
	case Flapping:
		return fmt.Sprintf("%s n=%d window=%s", code, r.N, r.Window)
	case CooldownActive, EvidenceRecent:
		return code + " next=" + stamp(r.At)
	case StaleObservation, TickCounted, Lapsed:
		return code + " last=" + stamp(r.At)
	case OtherSourceFailing, SourceNotAnswering:
		return code + " source=" + r.Source
	case SilenceOver:
		return code + " silence=" + r.By
	case AckGiven, AckTaken, Acknowledged:
		return code + " by=" + r.By
	default:
		return code
	}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
