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
}

// UsageOf derives the counters from a delivery whose last attempt has just
// been settled at the given time.
func UsageOf(d Delivery, now time.Time) Usage {
	u := Usage{
		Day: now.UTC().Format(time.DateOnly), Owner: d.Owner, CostCenter: d.CostCenter,
		Channel: d.Channel, Source: d.Source, DeliveryID: d.ID, Attempted: 1,
	}
	switch d.State {
	case Delivered:
		u.Delivered = 1
	case Held:
		u.Held = 1
	case Dead:
		u.Dead = 1
	}
	if n := len(d.Attempts); n > 0 && d.Attempts[n-1].Repeat {
		u.Repeated = 1
	}
	return u
}
