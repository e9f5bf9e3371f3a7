// Package notice holds what a person is told about one action of one incident,
// independent of the channel that carries it. A notice is frozen when its
// decision is committed; channels only render it.
package notice

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// What notices tell that stand for no single decision.
const (
	// ActionDigest tells many incidents in one message.
	ActionDigest incident.Action = "digest"
	// ActionRefused tells a fallback that a destination takes no more messages.
	ActionRefused incident.Action = "refused"
	// ActionRestored tells it that the destination takes them again.
	ActionRestored incident.Action = "restored"
)

// What such notices have in place of an incident key: the prefix and the id of the
// digest, or of the destination.
const (
	DigestKeyPrefix      = "digest/"
	DestinationKeyPrefix = "destination/"
)

// Notice is one action of one incident in a person's terms. All times are UTC;
// they are told in Zone.
type Notice struct {
	Action      incident.Action `json:"action"`
	Environment string          `json:"environment"`
	Kind        string          `json:"kind"`
	// Title is the same in every message of an episode; Summary is what the
	// newest failing observation says.
	Title      string `json:"title,omitempty"`
	Summary    string `json:"summary"`
	Source     string `json:"source"`
	Owner      string `json:"owner"`
	CostCenter string `json:"cost_center"`
	// OperatorAction is the configured sentence that says what to do.
	OperatorAction string `json:"operator_action"`

	// Zone is the IANA time zone of who reads it; empty is UTC.
	Zone string `json:"zone,omitempty"`

	// Since is the first failing tick; Until is the tick of the resolve, zero
	// while the incident is open.
	Since time.Time `json:"since"`
	Until time.Time `json:"until,omitzero"`
	Tick  time.Time `json:"tick"`

	// Missing tells that the incident was resolved because it is no longer
	// reported, which is weaker than "recovered".
	Missing bool `json:"missing,omitempty"`
	// Unseen tells that it is missing only in so far as the source, which still
	// lists it, has not seen it fail for a while.
	Unseen bool `json:"unseen,omitempty"`
	// Reminder is the number of this reminder, from 1; zero for other actions.
	Reminder int `json:"reminder,omitempty"`
	// Why is the decision's reason in words, NextReminder the time of the next
	// one if the incident goes on; zero when there will be none.
	Why          string    `json:"why"`
	NextReminder time.Time `json:"next_reminder,omitzero"`

	Evidence Evidence `json:"evidence"`
	// Page is the signed link to the incident's page; empty where there are no
	// pages.
	Page string `json:"page,omitempty"`

	IncidentKey string `json:"incident_key"`
	Episode     int    `json:"episode"`
	Sequence    int    `json:"sequence"`
	DeliveryID  string `json:"delivery_id"`
	// MayBeRepeat marks a message that is sent again although an earlier send
	// of it may have arrived.
	MayBeRepeat bool `json:"may_be_repeat,omitempty"`

	// Unannounced tells that no message of this incident was told before: this
	// one says that it began and how it is now. Tells are the ids of the other
	// deliveries that it stands for.
	Unannounced bool     `json:"unannounced,omitempty"`
	Tells       []string `json:"tells,omitempty"`
	// DecidedAt is set on a message that could not be told in time: when it
	// should have been.
	DecidedAt time.Time `json:"decided_at,omitzero"`
	// For is the destination that could not be told, and ForWhy why not.
	For    string `json:"for,omitempty"`
	ForWhy string `json:"for_why,omitempty"`
	// Entries are the incidents of a digest.
	Entries []Entry `json:"entries,omitempty"`
}

// Evidence is the part of observation.Evidence that a message shows.
type Evidence struct {
	FirstSeen     time.Time `json:"first_seen,omitzero"`
	LastSeen      time.Time `json:"last_seen,omitzero"`
	Count         int64     `json:"count,omitempty"`
	Link          string    `json:"link,omitempty"`
	VendorID      string    `json:"vendor_id,omitempty"`
	Stage         string    `json:"stage,omitempty"`
	Deployment    string    `json:"deployment,omitempty"`
	CorrelationID string    `json:"correlation_id,omitempty"`
	Samples       []string  `json:"samples,omitempty"`
}

// FromEvidence copies what was observed.
func FromEvidence(e observation.Evidence) Evidence { return Evidence(e) }
