package explain

import "github.com/ringonce/ringonce/internal/delivery"

// reach says whether a message reached its reader, as far as is known.
type reach int

const (
	notReached reach = iota
	maybeReached
	wasReached
)

// reach returns the reach of a message, or of the one that told it in its place.
func (d Delivery) reach() reach {
	if d.returned() {
		return notReached
	}
	if d.In != nil {
		return d.In.reach()
	}
	return reachOf(d.State, d.Ambiguous)
}

// reach returns the reach of the message or of its fallback, whichever is better.
func (t Telling) reach() reach {
	best := reachOf(t.State, t.Ambiguous)
	if t.Instead != nil {
		best = max(best, t.Instead.reach())
	}
	return best
}

// reachOf returns the reach of a message in a state. ambiguous is set if an attempt
// may have arrived without an answer. A message that is no longer stored counts as
// delivered.
func reachOf(state string, ambiguous bool) reach {
	switch {
	case state == string(delivery.Delivered), state == expiredState:
		return wasReached
	case ambiguous:
		return maybeReached
	default:
		return notReached
	}
}

// returned reports whether the provider accepted a message and could not deliver it.
func (d Delivery) returned() bool {
	return d.Receipt != nil && d.Receipt.Fate.Bad() && d.Receipt.Fate != delivery.Complained
}

// maxArrivals returns how often a message may have arrived at most. A later attempt
// that does not say it may be a repeat adds none: its provider has an idempotency key,
// or was asked first whether it has the message.
func maxArrivals(all []Attempt) int {
	n := 0
	for _, a := range all {
		may := a.Class == string(delivery.Accepted) || a.Class == string(delivery.Ambiguous)
		if may && (n == 0 || a.Repeat) {
			n++
		}
	}
	return n
}

// doubtText says what is not known of a message if an attempt was not answered; empty
// if nothing is in doubt.
func (d Delivery) doubtText() string {
	ambiguous := d.Ambiguous || d.In != nil && d.In.Ambiguous
	switch {
	case !ambiguous:
		return ""
	case maxArrivals(d.allAttempts()) > 1:
		return "it may have arrived more than once"
	case d.reach() == maybeReached:
		return "whether it arrived is not known"
	default:
		return ""
	}
}
