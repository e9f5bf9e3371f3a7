package observation

import "time"

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
