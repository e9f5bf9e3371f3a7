package incident

import "time"

// NextReminder returns the tick from which an open, failing incident is due for a
// reminder: the last notification plus the current cooldown. It returns the zero
// time if no reminder will follow, or none before flapping ends.
func (s State) NextReminder(p Policy) time.Time {
	if !s.Open || s.Acked() || p.Cooldown <= 0 || (s.Flapping && p.damps()) || (p.MaxReminders > 0 && s.Reminders >= p.MaxReminders) {
		return time.Time{}
	}
	return s.LastNotified.Add(p.cooldownAfter(s.Reminders))
}
