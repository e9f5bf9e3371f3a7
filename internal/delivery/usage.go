package delivery

import "time"

// Usage is what one settled attempt adds to the counters that its owner is
// charged by. It is written in the same transaction as the ledger, so that a
// replay counts nothing twice.
type Usage struct {
	// Day is the UTC day of the attempt, 2006-01-02. What becomes of an item counts
	// on that of its last attempt, however much later it is known.
	Day        string
	Owner      string
	CostCenter string
	Channel    string
	Source     string
	// DeliveryID spreads the counters over shards.
	DeliveryID string

	Attempted int64
	Delivered int64
	Repeated  int64
	Held      int64
	Dead      int64
	// Digested are the messages that delivered digests have told.
	Digested int64
}

// Subject returns what is counted, with every count zero.
func (u Usage) Subject() Usage {
	return Usage{Day: u.Day, Owner: u.Owner, CostCenter: u.CostCenter, Channel: u.Channel, Source: u.Source}
}

// Plus adds the counts of another usage and keeps its own subject.
func (u Usage) Plus(v Usage) Usage {
	u.Attempted, u.Delivered = u.Attempted+v.Attempted, u.Delivered+v.Delivered
	u.Repeated, u.Held, u.Dead = u.Repeated+v.Repeated, u.Held+v.Held, u.Dead+v.Dead
	u.Digested += v.Digested
	return u
}

// UsageOf derives the counters from a delivery before and after one of its
// attempts was settled. Attempts of lost workers count when they are found.
func UsageOf(before, after Delivery) Usage {
	u := after.usage()
	u.Attempted, u.Repeated = settled(after)-settled(before), repeats(after)-repeats(before)
	switch after.State {
	case Delivered:
		u.Delivered, u.Digested = 1, after.digests()
	case Held:
		u.Held = 1
	case Dead:
		u.Dead = 1
	}
	return u
}

// TakenBack takes back what a stopped item was counted as, when a person has it
// sent again or closes it: it is held, or dead, no more.
func (d Delivery) TakenBack() Usage {
	u := d.usage()
	switch d.State {
	case Held:
		u.Held = -1
	case Dead:
		u.Dead = -1
	}
	return u
}

// usage is what an item is counted as, with every count zero.
func (d Delivery) usage() Usage {
	return Usage{
		Day: dayOf(d.EndCounts()), Owner: d.Owner, CostCenter: d.CostCenter,
		Channel: d.Channel, Source: d.Source, DeliveryID: d.ID,
	}
}

// EndCounts is the time on whose day an item's outcome is counted: that of its last
// attempt or, if it was never tried, of its creation. So a recount of the ledger gives
// the same counters, even for an outcome that became known only after midnight.
func (d Delivery) EndCounts() time.Time {
	if n := len(d.Attempts); n > 0 {
		return d.Attempts[n-1].Ended
	}
	return d.CreatedAt
}

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// digests counts the messages that a digest tells.
func (d Delivery) digests() int64 {
	n := 0
	for _, e := range d.Notice.Entries {
		n += 1 + len(e.Tells)
	}
	return int64(n)
}

func settled(d Delivery) int64 {
	n := int64(d.Tries() - len(d.Attempts))
	for _, a := range d.Attempts {
		if a.Class != "" {
			n++
		}
	}
	return n
}

// repeats counts the ended attempts that were sent as a possible repeat.
func repeats(d Delivery) (n int64) {
	for _, l := range d.LeftOut {
		n += l.Repeated
	}
	for _, a := range d.Attempts {
		if a.Class != "" && a.Repeat {
			n++
		}
	}
	return n
}
