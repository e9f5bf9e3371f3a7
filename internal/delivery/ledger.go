package delivery

import (
	"errors"
	"time"

	"github.com/ringonce/ringonce/internal/backoff"
)

// ErrNotClaimable reports that an item cannot be claimed now: it is final, not due
// yet, or leased by another worker. It is not a failure.
var ErrNotClaimable = errors.New("delivery is final, not due or held by another worker")

// ErrFenced reports a write by a worker whose claim has been superseded.
var ErrFenced = errors.New("delivery was claimed by another worker since")

// ErrNotStopped reports that an item is neither held nor dead, so that a person has
// nothing to decide.
var ErrNotStopped = errors.New("delivery is neither held nor dead")

// Retry is the retry policy of deliveries.
type Retry struct {
	Backoff backoff.Schedule
	// RetryAfterCap bounds the wait that a provider may ask for.
	RetryAfterCap time.Duration
	// GiveUpAfter is the age after which a failing delivery becomes dead; zero
	// means never.
	GiveUpAfter time.Duration
}

// Claimable reports whether a worker may claim the item at the given time: it is
// waiting and due, or its last worker's lease has expired.
func (d Delivery) Claimable(now time.Time) bool {
	switch d.State {
	case Pending, Unknown:
		return !now.Before(d.DueAt)
	case Sending:
		return !now.Before(d.LeaseUntil)
	default:
		return false
	}
}

// Claim leases the item to a worker and starts a new attempt. The caller checks
// Claimable, or lets the store check it.
func (d Delivery) Claim(worker string, now, leaseUntil time.Time) Delivery {
	d.State = Sending
	d.Fence++
	d.LeaseOwner = worker
	d.LeaseUntil = leaseUntil
	d.DueAt = leaseUntil
	d.Attempts = append(d.Attempts[:len(d.Attempts):len(d.Attempts)],
		Attempt{Number: d.Tries() + 1, Worker: worker, Started: now})
	return d
}

// TooLate reports whether a claimed item is past its GiveUpAfter. Every item is
// tried once, however long it waited for its turn, and an item that a person resends
// is never too late.
func (d Delivery) TooLate(now time.Time, r Retry) bool {
	return d.outlives(r, now) && len(d.Attempts) > 1 && !d.Insisted
}

// outlives reports whether the item is older than GiveUpAfter at the given time.
func (d Delivery) outlives(r Retry, at time.Time) bool {
	return r.GiveUpAfter > 0 && at.Sub(d.CreatedAt) > r.GiveUpAfter
}

// Settle folds the outcome of the running attempt into the ledger. jitter is in
// [0, 1); repeat marks an attempt that was sent as a possible repeat. After a second
// ambiguous outcome the item is held, unless a is Repeat.
func (d Delivery) Settle(o Outcome, repeat bool, now time.Time, r Retry, a Ambiguity, jitter float64) Delivery {
	d = d.endAttempt(o, repeat, now)
	d.LeaseOwner = ""
	switch o.Class {
	case Accepted:
		return d.final(Delivered, "")
	case Permanent:
		return d.final(Dead, "refused for good: "+o.Code)
	case Ambiguous:
		if a == Hold {
			return d.final(Held, "may have arrived; not sent again by policy")
		}
		if a != Repeat && d.ambiguous() > 1 {
			return d.final(Held, "may have arrived twice; not sent again")
		}
		return d.later(Unknown, o, now, r, jitter)
	default:
		return d.later(Pending, o, now, r, jitter)
	}
}

// HoldLost holds a claimed item, one of whose earlier attempts may have arrived. It
// removes the attempt of the current claim, which sent nothing.
func (d Delivery) HoldLost(now time.Time) Delivery {
	why := "may have arrived; not sent again by policy"
	if d.LostTooOften() {
		why = "may have arrived; not sent again, for one worker after the other was lost with it"
	}
	return d.unclaim(now).final(Held, why)
}

// Refuse marks a claimed item as dead without sending it. Like HoldLost it removes
// the attempt of the current claim.
func (d Delivery) Refuse(why string, now time.Time) Delivery {
	return d.unclaim(now).final(Dead, why)
}

// unclaim reverts a claim that sent nothing, including its attempt.
func (d Delivery) unclaim(now time.Time) Delivery {
	d.Attempts = closeLost(d.earlier(), now)
	d.LeaseOwner, d.LeaseUntil = "", time.Time{}
	return d
}

// Stopped reports whether the item is no longer sent automatically although it may
// not have arrived. A person may resend or close it.
func (d Delivery) Stopped() bool { return d.State == Held || d.State == Dead }

// Resend makes a stopped item due again at a person's request.
func (d Delivery) Resend(now time.Time) Delivery {
	d.State, d.DueAt, d.Insisted, d.Note = Pending, now, true, "sent again by hand"
	return d
}

// Closed marks a stopped item as superseded. The note says why.
func (d Delivery) Closed(note string) Delivery { return d.final(Superseded, note) }

// PutBack returns a claimed item unsent, due at until. If the item is too old by
// then, it becomes dead.
func (d Delivery) PutBack(until, now time.Time, r Retry) Delivery {
	d = d.unclaim(now)
	if d.outlives(r, until) {
		return d.final(Dead, "given up after "+r.GiveUpAfter.String())
	}
	d.State, d.DueAt = Pending, until
	if d.Doubtful() {
		d.State = Unknown
	}
	return d
}

func (d Delivery) endAttempt(o Outcome, repeat bool, now time.Time) Delivery {
	n := len(d.Attempts)
	if n == 0 {
		return d
	}
	last := d.Attempts[n-1]
	last.Ended, last.Class, last.Status, last.Code = now, o.Class, o.Status, o.Code
	last.ProviderID, last.Repeat = o.ProviderID, repeat
	d.Attempts = append(closeLost(d.Attempts[:n-1], now), last)
	return d.bounded()
}

func (d Delivery) later(s State, o Outcome, now time.Time, r Retry, jitter float64) Delivery {
	wait := r.Backoff.Wait(d.Tries(), jitter)
	wait = backoff.WithRetryAfter(wait, o.RetryAfter, r.RetryAfterCap)
	due := now.Add(wait)
	if d.outlives(r, due) {
		return d.final(Dead, "given up after "+r.GiveUpAfter.String()+": "+o.Code)
	}
	d.State, d.DueAt = s, due
	return d
}

func (d Delivery) final(s State, note string) Delivery {
	d.State, d.Note = s, note
	d.DueAt, d.LeaseUntil = time.Time{}, time.Time{}
	return d
}
