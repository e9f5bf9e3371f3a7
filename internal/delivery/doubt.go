package delivery

import (
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Ambiguity is the policy for a send that may have arrived.
type Ambiguity string

// The ambiguity policies.
const (
	// Resend sends the message once more, marked as a possible repeat.
	Resend Ambiguity = "resend"
	// Hold stops sending the message until a person decides.
	Hold Ambiguity = "hold"
	// Repeat sends the same bytes until there is an answer. It is for providers
	// with an idempotency key, where a repeat is harmless.
	Repeat Ambiguity = "repeat"
)

// DefaultAmbiguity returns Hold for a reminder, which carries nothing new, and
// Resend for every other action.
func DefaultAmbiguity(a incident.Action) Ambiguity {
	if a == incident.Remind {
		return Hold
	}
	return Resend
}

// earlier returns the attempts before the running one.
func (d Delivery) earlier() []Attempt { return d.Attempts[:max(len(d.Attempts)-1, 0)] }

// MayHaveArrived reports whether an attempt before the running one may have
// been accepted: its outcome was ambiguous, or its worker was lost.
func (d Delivery) MayHaveArrived() bool {
	return slices.ContainsFunc(d.earlier(), Attempt.MayHaveArrived)
}

// MayHaveArrivedSince returns the start of the first attempt before the running one
// that may have been accepted, or zero if there is none.
func (d Delivery) MayHaveArrivedSince() time.Time {
	if i := slices.IndexFunc(d.earlier(), Attempt.MayHaveArrived); i >= 0 {
		return d.Attempts[i].Started
	}
	return time.Time{}
}

// Doubtful reports whether any attempt may have arrived. It is for items that no
// worker is sending.
func (d Delivery) Doubtful() bool { return slices.ContainsFunc(d.Attempts, Attempt.MayHaveArrived) }

// maxLost is how many workers in a row an item may lose before it is held.
const maxLost = 3

// LostTooOften reports whether a claimed item has lost maxLost workers in a row. What
// ended them, such as a row that cannot be written, would end the next one too, and
// every expired lease would send the message again.
func (d Delivery) LostTooOften() bool {
	lost := 0
	for _, a := range d.earlier() {
		if a.Class == "" {
			lost++
		}
	}
	return lost >= maxLost
}

// Withheld reports whether a claimed item must not be sent again because it may
// have arrived: too many of its workers were lost, the policy is Hold, or two sends
// were ambiguous. A person's resend overrides the last two conditions.
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

// ambiguous counts the sends with an ambiguous answer. Attempts of lost workers do
// not count: they may never have been sent.
func (d Delivery) ambiguous() int {
	n := 0
	for _, a := range d.Attempts {
		if a.Class == Ambiguous && a.Code != workerLost {
			n++
		}
	}
	return n
}

// workerLost is the code of an attempt whose worker recorded no outcome.
const workerLost = "worker_lost"

// closeLost returns a copy of the attempts in which those without an outcome are
// ambiguous. It copies because the ledger before and after is compared.
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
