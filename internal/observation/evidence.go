package observation

import (
	"cmp"
	"time"
)

// Evidence holds the details that a person needs to investigate an incident. It is never
// part of an incident's identity and is redacted before it is written anywhere.
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

// MovedOn returns this evidence with the times and count of a newer one, which also
// fills empty fields. Details of a failure stay valid while it lasts; when and how often
// it was seen changes.
func (e Evidence) MovedOn(newer Evidence) Evidence {
	known, now := e.Or(newer), newer.Or(e)
	known.FirstSeen, known.LastSeen, known.Count = now.FirstSeen, now.LastSeen, now.Count
	return known
}

// Or returns this evidence with empty fields taken from other.
func (e Evidence) Or(other Evidence) Evidence {
	if e.FirstSeen.IsZero() {
		e.FirstSeen = other.FirstSeen
	}
	if e.LastSeen.IsZero() {
		e.LastSeen = other.LastSeen
	}
	e.Count = cmp.Or(e.Count, other.Count)
	e.Link = cmp.Or(e.Link, other.Link)
	e.VendorID = cmp.Or(e.VendorID, other.VendorID)
	e.Stage = cmp.Or(e.Stage, other.Stage)
	e.Deployment = cmp.Or(e.Deployment, other.Deployment)
	e.CorrelationID = cmp.Or(e.CorrelationID, other.CorrelationID)
	if len(e.Samples) == 0 {
		e.Samples = other.Samples
	}
	return e
}
