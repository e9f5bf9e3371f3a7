package incident

import "time"

// Acknowledgement records that a person is working on an incident. It lasts until
// the incident resolves.
type Acknowledgement struct {
	By   string
	Note string
	// At is the wall-clock time. No decision reads it.
	At time.Time
}

// Acked reports whether the incident is acknowledged.
func (s State) Acked() bool { return s.Ack != Acknowledgement{} }

// Acknowledge records that a person is working on an open incident. It stops
// reminders until the incident resolves; the resolve is still announced, and the
// next episode starts unacknowledged.
func Acknowledge(s State, ack Acknowledgement) (State, Action, Reason) {
	switch {
	case !s.Open:
		return s, None, Reason{Code: NothingOpen}
	case s.Acked() && s.Ack.By == ack.By && s.Ack.Note == ack.Note:
		return s, None, Reason{Code: Acknowledged, By: s.Ack.By}
	}
	s.Ack = ack
	return s, Ack, Reason{Code: AckGiven, By: ack.By}
}

// Unacknowledge withdraws an acknowledgement. Reminders resume on their previous
// schedule.
func Unacknowledge(s State, by string) (State, Action, Reason) {
	if !s.Open || !s.Acked() {
		return s, None, Reason{Code: NothingOpen}
	}
	s.Ack = Acknowledgement{}
	return s, Unack, Reason{Code: AckTaken, By: by}
}
