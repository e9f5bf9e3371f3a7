// Package observation holds the vendor-neutral result of a poll: which incident key was
// seen, with which verdict, at which tick. Nothing else passes from a monitoring vendor
// into Ringonce.
package observation

import (
	"errors"
	"time"
)

// ErrUnwritable reports that this observation can never be stored: it is too large, or
// contains something that a row cannot hold. Retrying does not help.
var ErrUnwritable = errors.New("the observation cannot be stored as it is")

// Part is one named piece of an incident's identity, such as service=checkout.
type Part struct {
	Name  string
	Value string
}

// Observation is one source's statement about one incident key at one tick.
// Its identity is (IncidentKey, Tick, Source): writing it twice is one write.
type Observation struct {
	IncidentKey string
	Kind        string
	Parts       []Part
	Source      string
	Tick        time.Time
	Verdict     Verdict
	// Missing marks a Healthy verdict that was inferred because a complete
	// listing no longer holds the key; people are told "no longer reported".
	Missing bool
	// Unseen marks a Healthy verdict that was inferred because the vendor, which
	// still lists the key, has not seen it fail for as long as the source's
	// failing_within; people are told "no longer seen".
	Unseen bool
	// Status is the vendor's own word, kept so that a verdict can be explained.
	Status   string
	Owner    string
	Summary  string
	Evidence Evidence
	// Enriched reports that an enrichment request has added to the evidence, which
	// happens once for each new failure.
	Enriched bool
	// ObservedAt is the wall-clock time of the poll. No decision reads it.
	ObservedAt time.Time
}

// ID returns the observation's name within its incident key's partition. Names sort by
// tick, the order in which a replay reads them.
func (o Observation) ID() string { return FormatTick(o.Tick) + "#" + o.Source }
