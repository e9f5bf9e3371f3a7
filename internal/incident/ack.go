package incident

import "time"

// Acked is that a person has taken an incident on. It holds until the incident
// is over.
type Acked struct {
	By   string
	Note string
	// At is the wall-clock time; nothing decides by it.
	At time.Time
}

// Acked reports whether somebody has taken the incident on.
func (s State) Acked() bool { return s.Ack != Acked{} }

// Acknowledge notes that a person has taken an open incident on: it reminds
// nobody until it is over. Its end is told, and its next episode starts anew.
func Acknowledge(s State, ack Acked) (State, Action, Reason) {
	switch {
	case !s.Open:
		return s, None, Reason{Code: NothingOpen}
	case s.Acked() && s.Ack.By == ack.By && s.Ack.Note == ack.Note:
		return s, None, Reason{Code: Acknowledged, By: s.Ack.By}
	}
	s.Ack = ack
	return s, Ack, Reason{Code: AckGiven, By: ack.By}
}

// Unacknowledge takes an acknowledgement back: reminders go on, by the clock that
// they had.
func Unacknowledge(s State, by string) (State, Action, Reason) {
	if !s.Open || !s.Acked() {
		return s, None, Reason{Code: NothingOpen}
	}
	s.Ack = Acked{}
	return s, Unack, Reason{Code: AckTaken, By: by}
}
