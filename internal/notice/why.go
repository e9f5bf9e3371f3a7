package notice

import (
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Why returns a decision's reason in words: "opened after 1 failing poll; next reminder
// 12:33 UTC". s is the state after the decision, tick the decision's tick. Every code has
// words, including those for None.
func Why(r incident.Reason, s incident.State, p incident.Policy, tick time.Time) string {
	return utc.why(r, s, p, tick)
}

// why is Why with times by the reader's clock.
func (c clock) why(r incident.Reason, s incident.State, p incident.Policy, tick time.Time) string {
	switch r.Code {
	case incident.FailingStreakReached:
		return "opened after " + polls(r.N, "failing") + c.reminders(s, p, tick)
	case incident.Reopened:
		return "failing again " + Duration(tick.Sub(r.At)) + " after it was resolved" + c.reminders(s, p, tick)
	case incident.Flapping:
		return fmt.Sprintf("opened %s within %s, so it is flapping; nothing more until it is stable",
			count(r.N, "time"), Duration(r.Window))
	case incident.CooldownElapsed:
		return fmt.Sprintf("still failing after %s; reminder %d", Duration(tick.Sub(s.StreakStart)), s.Reminders) +
			c.reminders(s, p, tick)
	case incident.Recovered:
		return "resolved after " + polls(r.N, "healthy")
	case incident.NoLongerReported:
		return noLongerReported(r.N)
	case incident.NoLongerSeen:
		return "the source still lists it, but has not seen it fail for longer than failing_within; " + polls(r.N, "such")
	case incident.Lapsed:
		return "no longer reported: its sources answered, and none has named it for " + Duration(tick.Sub(r.At))
	case incident.SilenceOver:
		return "silence " + r.By + " keeps this back no more, and it has been failing for " + Duration(tick.Sub(s.StreakStart)) + c.reminders(s, p, tick)
	default:
		return c.whyNone(r, tick)
	}
}

// whyNone words the reasons for None.
func (c clock) whyNone(r incident.Reason, tick time.Time) string {
	switch r.Code {
	case incident.BelowThreshold:
		return fmt.Sprintf("failing, but only %d of the %d polls in a row that open an incident", r.N, r.Of)
	case incident.HealthyStreak:
		return fmt.Sprintf("healthy, but only %d of the %d polls in a row that resolve an incident", r.N, r.Of)
	case incident.CooldownActive:
		return "open already; next reminder " + c.near(r.At, tick)
	case incident.RemindersOff:
		return "open already; the policy has no reminders"
	case incident.MaxReminders:
		return "open already; the limit of " + count(r.Of, "reminder") + " is reached"
	case incident.FlapDamped:
		return fmt.Sprintf("flapping; %d of the %d polls in a row that count as stable", r.N, r.Of)
	case incident.StaleObservation:
		return "an older or repeated poll of the same source"
	case incident.TickCounted:
		return "another source had counted this tick already"
	default:
		return c.whyNothingMoved(r, tick)
	}
}

func (c clock) whyNothingMoved(r incident.Reason, tick time.Time) string {
	switch r.Code {
	case incident.NothingOpen:
		return "healthy, and nothing was open"
	case incident.UnknownObservation:
		return "the poll gave no evidence, so nothing moved"
	case incident.OtherSourceFailing:
		return "healthy here, but source " + r.Source + " still reports a failure"
	case incident.EvidenceRecent:
		return "not reported now; counts as over at " + c.near(r.At, tick)
	case incident.SourceNotAnswering:
		return "not reported now, but source " + r.Source + " does not answer, so its silence means nothing"
	case incident.AckGiven:
		return r.By + " has taken it on; no reminders until it is over"
	case incident.AckTaken:
		return r.By + " has given it back; reminders go on"
	case incident.Acknowledged:
		return "told already; " + r.By + " has taken it on, so there are no reminders"
	case incident.LapseOff:
		return "not reported now; by the policy, silence ends nothing"
	default:
		return r.String()
	}
}

// reminders says when the next reminder is due, or why there is none.
func (c clock) reminders(s incident.State, p incident.Policy, tick time.Time) string {
	switch next := s.NextReminder(p); {
	case !next.IsZero():
		return "; next reminder " + c.near(next, tick)
	case p.MaxReminders > 0 && s.Reminders >= p.MaxReminders:
		return "; the last one, the limit is " + count(p.MaxReminders, "reminder")
	default:
		return "; no reminders will follow"
	}
}

// noLongerReported counts polls without a failure, not absences: in the polls before the
// last one the key may have been listed as healthy.
func noLongerReported(n int) string {
	if n <= 1 {
		return "no longer reported by a complete listing"
	}
	return fmt.Sprintf("no longer reported by a complete listing; %d polls in a row without a failure", n)
}

func polls(n int, verdict string) string {
	if n == 1 {
		return "1 " + verdict + " poll"
	}
	return fmt.Sprintf("%d %s polls in a row", n, verdict)
}
