package incident

import (
	"testing"
	"time"
)

// Follow applies a decision that no observation produces only if it fits the state: under
// another policy nothing may be open.
func TestFollow(t *testing.T) {
	at := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	open := State{Key: "k", Episode: 1, Open: true, Sequence: 3, Reminders: 2, LastFailing: at, LastNotified: at}
	ended, action, reason := EndSilence(open, at.Add(time.Minute), DefaultPolicy(), "s-1")
	d := Decision{Action: action, Reason: reason.String(), Tick: at.Add(time.Minute)}
	if got := open.Follow(d); action != SilenceEnded || got.Sequence != 4 || got.Reminders != 0 || !got.LastNotified.Equal(ended.LastNotified) ||
		!got.LastNotified.Equal(at.Add(2*time.Minute)) {
		t.Errorf("%s, %+v", action, got)
	}
	acked, action, reason := Acknowledge(open, Acknowledgement{By: "alice", Note: "x", At: at})
	got := open.Follow(Decision{Action: action, Reason: reason.String(), Note: "x", DecidedAt: at})
	if got.Ack != acked.Ack || !got.Acked() {
		t.Errorf("followed %+v, decided %+v", got.Ack, acked.Ack)
	}
	if _, again, _ := Acknowledge(acked, acked.Ack); again != None {
		t.Error("the same word twice is two decisions")
	}
	if got = got.Follow(Decision{Action: Unack, Reason: "unack by=bob"}); got.Acked() {
		t.Error("it is not given back")
	}
	resolved := State{Key: "k", Episode: 1}
	for _, a := range []Action{SilenceEnded, Ack} {
		if got := resolved.Follow(Decision{Action: a, Reason: "ack by=alice"}); got.Sequence != 0 || got.Acked() {
			t.Errorf("%s of what is not open: %+v", a, got)
		}
	}
	open.HealthyStreak = 1
	if _, a, r := EndSilence(open, at, DefaultPolicy(), "s-1"); a != None || r.Code != HealthyStreak {
		t.Errorf("on its way to recover: %s, %s", a, r)
	}
}
