package delivery

import (
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Ambiguity says what to do with a send that may have arrived.
type Ambiguity string

// What to do with it.
const (
	// Resend sends it once more, saying that it may be a repeat.
	Resend Ambiguity = "resend"
	// Hold sends it no more: a person decides.
	Hold Ambiguity = "hold"
	// Repeat sends the same bytes until there is an answer. It is for providers that
	// keep an idempotency key, where a repeat does no harm.
	Repeat Ambiguity = "repeat"
)

// DefaultAmbiguity is Resend for what changes a person's picture of the world
// and Hold for a reminder, which only repeats it.
func DefaultAmbiguity(a incident.Action) Ambiguity {
	if a == incident.Remind {
		return Hold
	}
	return Resend
}

// earlier are the attempts before the running one.
func (d Delivery) earlier() []Attempt { return d.Attempts[:max(len(d.Attempts)-1, 0)] }

// MayHaveArrived reports whether an attempt before the running one may have
// been accepted: its outcome was ambiguous, or its worker was lost.
func (d Delivery) MayHaveArrived() bool {
	return slices.ContainsFunc(d.earlier(), Attempt.MayHaveArrived)
}

// MayHaveArrivedSince is when the first attempt before the running one began that may
// have been accepted; zero if there is none.
func (d Delivery) MayHaveArrivedSince() time.Time {
	if i := slices.IndexFunc(d.earlier(), Attempt.MayHaveArrived); i >= 0 {
		return d.Attempts[i].Started
	}
	return time.Time{}
}

// Doubtful reports whether any attempt may have arrived, of an item that nobody
// is sending now.
func (d Delivery) Doubtful() bool { return slices.ContainsFunc(d.Attempts, Attempt.MayHaveArrived) }

// manyLost is how many workers are lost in a row before it is no accident.
const manyLost = 3

// LostTooOften reports a claimed item whose last workers have all been lost. What
// ends each of them, such as a row that cannot be written, would end the next one
// as well, and people would be sent the message again with every lease.
func (d Delivery) LostTooOften() bool {
	lost := 0
	for _, a := range d.earlier() {
		if a.Class == "" {
			lost++
		}
	}
	return lost >= manyLost
}

// Withheld reports a claimed item that must not be sent again because it may have
// arrived: its workers keep being lost, the policy is Hold, or two sends were
// ambiguous. A person's resend overrides the last two.
func (d Delivery) Withheld(a Ambiguity) bool {
	switch {
	case a == Repeat:
		return false
	case d.LostTooOften():
		return true
	default:
		return !d.Insisted && ((a == Hold && d.MayHaveArrived()) || d.ambiguous() > 1)
	}
}

// ambiguous counts the sends whose answer left open whether they arrived. An attempt
// of a lost worker is not counted: it may never have been sent.
func (d Delivery) ambiguous() int {
	n := 0
	for _, a := range d.Attempts {
		if a.Class == Ambiguous && a.Code != workerLost {
			n++
		}
	}
	return n
}

// workerLost is the code of an attempt that nobody knows the outcome of.
const workerLost = "worker_lost"

// closeLost gives attempts whose worker never reported back the only outcome
// that is true of them. It copies: the ledger before and after are compared.
func closeLost(attempts []Attempt, now time.Time) []Attempt {
	closed := make([]Attempt, len(attempts), len(attempts)+1)
	copy(closed, attempts)
	for i := range closed {
		if closed[i].Class == "" {
			closed[i].Ended, closed[i].Class, closed[i].Code = now, Ambiguous, workerLost
		}
	}
	return closed
}
