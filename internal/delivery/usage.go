package delivery

import "time"

// Usage is what one settled attempt adds to the counters that its owner is
// charged by. It is written in the same transaction as the ledger, so that a
// replay counts nothing twice.
type Usage struct {
	// Day is the UTC day of the attempt, 2006-01-02.
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

// Subject is what counters are of, without the counts.
func (u Usage) Subject() Usage {
	return Usage{Day: u.Day, Owner: u.Owner, CostCenter: u.CostCenter, Channel: u.Channel, Source: u.Source}
}

// Plus adds the counts of another usage; what it is of stays.
func (u Usage) Plus(v Usage) Usage {
	u.Attempted, u.Delivered = u.Attempted+v.Attempted, u.Delivered+v.Delivered
	u.Repeated, u.Held, u.Dead = u.Repeated+v.Repeated, u.Held+v.Held, u.Dead+v.Dead
	u.Digested += v.Digested
	return u
}

// UsageOf derives the counters from a delivery before and after one of its
// attempts was settled at the given time. Attempts of lost workers count when
// they are found.
func UsageOf(before, after Delivery, now time.Time) Usage {
	u := Usage{
		Day: now.UTC().Format(time.DateOnly), Owner: after.Owner, CostCenter: after.CostCenter,
		Channel: after.Channel, Source: after.Source, DeliveryID: after.ID,
		Attempted: settled(after) - settled(before),
	}
	switch after.State {
	case Delivered:
		u.Delivered, u.Digested = 1, after.digests()
	case Held:
		u.Held = 1
	case Dead:
		u.Dead = 1
	}
	if n := len(after.Attempts); n > 0 && after.Attempts[n-1].Repeat {
		u.Repeated = 1
	}
	return u
}

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
