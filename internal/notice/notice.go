// Package notice holds the content of the message about one action of one incident,
// independent of the channel. A notice is frozen when its decision is committed; channels
// only render it.
package notice

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// The actions of notices that belong to no single decision.
const (
	// ActionDigest announces many incidents in one message.
	ActionDigest incident.Action = "digest"
	// ActionRefused tells a fallback that a destination refuses every message.
	ActionRefused incident.Action = "refused"
	// ActionRestored tells a fallback that the destination accepts messages again.
	ActionRestored incident.Action = "restored"
)

// The prefixes of the keys that such notices have in place of an incident key. The id of
// the digest or of the destination follows.
const (
	DigestKeyPrefix      = "digest/"
	DestinationKeyPrefix = "destination/"
)

// Notice is the content of a message about one action of one incident. All times are UTC
// and are shown in Zone.
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

	// Zone is the IANA time zone of the reader; empty means UTC.
	Zone string `json:"zone,omitempty"`

	// Since is the first failing tick; Until is the tick of the resolve, zero
	// while the incident is open.
	Since time.Time `json:"since"`
	Until time.Time `json:"until,omitzero"`
	Tick  time.Time `json:"tick"`

	// Missing reports that the incident resolved because it is no longer reported,
	// which is weaker than "recovered".
	Missing bool `json:"missing,omitempty"`
	// Unseen reports that the source still lists the incident but has not seen it fail
	// for a while.
	Unseen bool `json:"unseen,omitempty"`
	// Reminder is the number of this reminder, from 1; zero for other actions.
	Reminder int `json:"reminder,omitempty"`
	// Why is the decision's reason in words. NextReminder is the time of the next
	// reminder if the incident stays open; zero if none will follow.
	Why          string    `json:"why"`
	NextReminder time.Time `json:"next_reminder,omitzero"`

	Evidence Evidence `json:"evidence"`
	// Page is the signed link to the incident's page; empty if there are no pages.
	Page string `json:"page,omitempty"`

	IncidentKey string `json:"incident_key"`
	Episode     int    `json:"episode"`
	Sequence    int    `json:"sequence"`
	DeliveryID  string `json:"delivery_id"`
	// MayBeRepeat marks a message that is sent again although an earlier send may have
	// arrived.
	MayBeRepeat bool `json:"may_be_repeat,omitempty"`

	// Unannounced reports that this is the first message about the episode, although it
	// is not sent at the open. Tells are the ids of the other deliveries that it covers.
	Unannounced bool     `json:"unannounced,omitempty"`
	Tells       []string `json:"tells,omitempty"`
	// DecidedAt is the time of the decision, set only on a message that is late.
	DecidedAt time.Time `json:"decided_at,omitzero"`
	// For is the destination that this message's reader replaces as its fallback;
	// ForWhy says why.
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

// FromEvidence converts observed evidence.
func FromEvidence(e observation.Evidence) Evidence { return Evidence(e) }
