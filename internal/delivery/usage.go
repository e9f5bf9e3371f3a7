package delivery

import "time"

// Usage is what one settled attempt adds to the counters that its owner is charged
// by. It is written in the same transaction as the ledger, so that a replay counts
// nothing twice.
type Usage struct {
	// Day is the UTC day of the attempt, 2006-01-02. An outcome counts on the day of
	// the item's last attempt, even if it becomes known later.
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
	// Digested counts the items that delivered digests covered.
	Digested int64
}

// Subject returns the usage with every count zero.
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

// UsageOf derives the usage from a delivery before and after one of its attempts was
// settled. An attempt of a lost worker counts when the loss is noticed.
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

// TakenBack returns the usage that reverses the count of a stopped item as held or
// dead. It applies when a person resends or closes the item.
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

// usage returns the item's usage with every count zero.
func (d Delivery) usage() Usage {
	return Usage{
		Day: dayOf(d.CountedAt()), Owner: d.Owner, CostCenter: d.CostCenter,
		Channel: d.Channel, Source: d.Source, DeliveryID: d.ID,
	}
}

// CountedAt returns the time on whose day the item's outcome counts: the end of its
// last attempt or, if it was never tried, its creation. Recounting the ledger thus
// gives the same counters, even for an outcome that became known after midnight.
func (d Delivery) CountedAt() time.Time {
	if n := len(d.Attempts); n > 0 {
		return d.Attempts[n-1].Ended
	}
	return d.CreatedAt
}

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// digests counts the items that a digest covers.
func (d Delivery) digests() int64 {
	n := 0
	for _, e := range d.Notice.Entries {
		n += 1 + len(e.Tells)
	}
	return int64(n)
}

// settled counts the ended attempts, including those no longer stored.
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
