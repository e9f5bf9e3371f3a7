package incident

import "time"

// NextReminder is the tick from which a still failing open incident may be
// told again: the last notification plus the policy's current cooldown. It is
// the zero time when no reminder will come, or none before flapping has ended.
func (s State) NextReminder(p Policy) time.Time {
	if !s.Open || s.Acked() || p.Cooldown <= 0 || (s.Flapping && p.damps()) || (p.MaxReminders > 0 && s.Reminders >= p.MaxReminders) {
		return time.Time{}
	}
	return s.LastNotified.Add(p.cooldownAfter(s.Reminders))
}
