package observation

import (
	"cmp"
	"time"
)

// Evidence is what a person needs to reconstruct an incident. It is never part
// of an incident's identity and is redacted before it is written anywhere.
type Evidence struct {
	// FirstSeen and LastSeen are the vendor's times; zero when it gave none.
	FirstSeen time.Time
	LastSeen  time.Time
	// Count is how often the vendor saw the failure; zero when it gave none.
	Count int64
	// Link opens the failure at the vendor.
	Link string
	// VendorID is the vendor's own identifier of the group, monitor or alert.
	VendorID      string
	Stage         string
	Deployment    string
	CorrelationID string
	// Samples are a few short texts, newest first.
	Samples []string
}

// MovedOn is this evidence with the times and the count of a newer one, which
// also fills in what this one lacks: what was found out about a failure once
// stays true while it goes on, how often it happened does not.
func (e Evidence) MovedOn(newer Evidence) Evidence {
	newer.Link = cmp.Or(e.Link, newer.Link)
	newer.VendorID = cmp.Or(e.VendorID, newer.VendorID)
	newer.Stage = cmp.Or(e.Stage, newer.Stage)
	newer.Deployment = cmp.Or(e.Deployment, newer.Deployment)
	newer.CorrelationID = cmp.Or(e.CorrelationID, newer.CorrelationID)
	if len(e.Samples) > 0 {
		newer.Samples = e.Samples
	}
	if newer.FirstSeen.IsZero() {
		newer.FirstSeen = e.FirstSeen
	}
	if newer.LastSeen.IsZero() {
		newer.LastSeen = e.LastSeen
	}
	newer.Count = cmp.Or(newer.Count, e.Count)
	return newer
}
