package delivery

import "time"

// Fate is what a provider says has become of a message that it took.
type Fate string

// The fates, from the first word to the last. What comes later says more, and
// what says less does not take its place.
const (
	Taken      Fate = "taken"      // the provider has it and will try
	Arrived    Fate = "arrived"    // the recipient's server has taken it
	Bounced    Fate = "bounced"    // it came back
	Rejected   Fate = "rejected"   // the provider will not send it after all
	Complained Fate = "complained" // the recipient has called it spam
)

var rank = map[Fate]int{Taken: 1, Arrived: 2, Bounced: 3, Rejected: 3, Complained: 4}

// Bad reports whether a message did not reach its reader, or not as a friend.
func (f Fate) Bad() bool { return rank[f] > rank[Arrived] }

// Receipt is what a provider said about a message, after the answer to the send
// itself.
type Receipt struct {
	Fate Fate `json:"fate"`
	// Code is the provider's word for why, without any address.
	Code string    `json:"code,omitempty"`
	At   time.Time `json:"at"`
}

// Receive folds a receipt into the ledger. Whatever it says, the provider has
// taken the message: an item whose send may have arrived is delivered then. It
// reports whether the receipt says anything new.
//
// A bounced message stays delivered, as the counters have it: it was sent and is
// paid for. The receipt tells the rest.
func (d Delivery) Receive(r Receipt, providerID string) (Delivery, bool) {
	after, confirmed := d.confirm(providerID, r.At)
	if rank[r.Fate] <= rank[d.Receipt.Fate] {
		return after, confirmed
	}
	after.Receipt = r
	return after, true
}

// confirm closes an item that waits for an answer about a send that has
// arrived.
func (d Delivery) confirm(providerID string, now time.Time) (Delivery, bool) {
	switch d.State {
	case Pending, Sending, Unknown, Held:
	default:
		return d, false
	}
	i := len(d.Attempts) - 1
	for i >= 0 && !d.Attempts[i].MayHaveArrived() {
		i--
	}
	if i < 0 {
		return d, false
	}
	d.Attempts = closeLost(d.Attempts, now)
	d.Attempts[i].ProviderID = providerID
	d.LeaseOwner = ""
	return d.final(Delivered, "its provider says that it has it"), true
}

// ReceiptUsage is UsageOf for a receipt. The attempt was counted when it ended,
// unless its worker was lost; an item that was held is so no more.
func ReceiptUsage(before, after Delivery) Usage {
	u := UsageOf(before, after)
	if before.State == after.State {
		u.Delivered, u.Held, u.Dead, u.Digested = 0, 0, 0, 0
	}
	if before.State == Held && after.State == Delivered {
		u.Held = -1
	}
	return u
}
