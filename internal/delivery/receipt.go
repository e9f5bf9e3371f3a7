package delivery

import "time"

// Fate is a provider's report about a message that it accepted.
type Fate string

// The fates, from the least to the most final. An earlier one never replaces a later
// one.
const (
	Taken      Fate = "taken"      // the provider has it and will try
	Arrived    Fate = "arrived"    // the recipient's server has taken it
	Bounced    Fate = "bounced"    // it came back
	Rejected   Fate = "rejected"   // the provider will not send it after all
	Complained Fate = "complained" // the recipient has called it spam
)

var rank = map[Fate]int{Taken: 1, Arrived: 2, Bounced: 3, Rejected: 3, Complained: 4}

// Bad reports whether the message bounced, was rejected or was reported as spam.
func (f Fate) Bad() bool { return rank[f] > rank[Arrived] }

// Receipt is a provider's report about a message, made after it accepted the send.
type Receipt struct {
	Fate Fate `json:"fate"`
	// Code is the provider's reason, without any address.
	Code string    `json:"code,omitempty"`
	At   time.Time `json:"at"`
}

// Receive folds a receipt into the ledger and reports whether it changes anything.
// Any receipt proves that the provider accepted the message, so an item whose send
// may have arrived becomes delivered.
//
// A bounced message stays delivered, in the counters too: it was sent and is paid
// for. Its Receipt records the bounce.
func (d Delivery) Receive(r Receipt, providerID string) (Delivery, bool) {
	after, confirmed := d.confirm(providerID, r.At)
	if rank[r.Fate] <= rank[d.Receipt.Fate] {
		return after, confirmed
	}
	after.Receipt = r
	return after, true
}

// confirm marks an item as delivered if one of its attempts may have arrived.
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
// unless its worker was lost; an item that was held no longer counts as held.
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
