package delivery

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// State is where a delivery stands.
type State string

// The states of the ledger. Delivered, Held, Superseded, Dead and Silenced are
// final: nothing sends such an item again by itself.
const (
	Pending    State = "pending"
	Sending    State = "sending"
	Unknown    State = "unknown"
	Delivered  State = "delivered"
	Held       State = "held"
	Superseded State = "superseded"
	Dead       State = "dead"
	Silenced   State = "silenced"
)

// Final reports whether the ledger is closed for this item.
func (s State) Final() bool {
	switch s {
	case Delivered, Held, Superseded, Dead, Silenced:
		return true
	default:
		return false
	}
}

// Ref is where a delivery is stored: its incident and its slot there.
type Ref struct {
	IncidentKey string
	Slot        string
}

// Delivery is one action for one destination, with all that sending it needs
// except the destination's address and secrets, which stay in configuration.
type Delivery struct {
	ID          string
	IncidentKey string
	Episode     int
	Sequence    int
	Action      incident.Action
	Destination string
	Channel     string
	Owner       string
	CostCenter  string
	Source      string
	Tick        time.Time
	CreatedAt   time.Time

	Notice notice.Notice
	// Payload is the rendered message. It is frozen: a retry sends these bytes.
	Payload []byte

	State State
	// Fence grows with every claim. A write that does not carry the newest
	// fence is refused, so a slow worker cannot overwrite a newer one.
	Fence      int64
	LeaseOwner string
	LeaseUntil time.Time
	// DueAt is when the item may be taken up next; meaningless once final.
	DueAt time.Time
	// Attempts are the first few and the latest; Tries counts all of them.
	Attempts []Attempt
	// LeftOut counts the attempts that are not kept, by day.
	LeftOut []LeftOut
	// Note says why an item was superseded, held or given up.
	Note string
	// Receipt is the last that its provider said about it after taking it.
	Receipt Receipt
	// In is the id of the message that tells this item instead of a message of
	// its own: a digest, or an earlier item of the same incident.
	In string
	// For is the destination that could not take the message and whose fallback
	// this item goes to; empty for all others.
	For string
	// SilencedBy is the id of the silence that kept it back.
	SilencedBy string
	// Insisted tells that a person wants it sent although it may have arrived.
	Insisted bool
}

// Attempt is one try to send. Without an Outcome it is still running, or its
// worker was lost.
type Attempt struct {
	Number     int       `json:"number"`
	Worker     string    `json:"worker"`
	Started    time.Time `json:"started"`
	Ended      time.Time `json:"ended,omitzero"`
	Class      Class     `json:"class,omitempty"`
	Status     int       `json:"status,omitempty"`
	Code       string    `json:"code,omitempty"`
	ProviderID string    `json:"provider_id,omitempty"`
	// Repeat marks an attempt that was sent as a possible repeat.
	Repeat bool `json:"repeat,omitempty"`
}

// MayHaveArrived reports an attempt without a certain outcome: its answer left that
// open, or nobody has reported back yet.
func (a Attempt) MayHaveArrived() bool { return a.Class == Ambiguous || a.Class == "" }

// Ref returns where the delivery is stored. What goes to a fallback has a place
// beside what the fallback is told on its own account.
func (d Delivery) Ref() Ref {
	slot := Slot(d.Episode, d.Sequence, d.Destination)
	if d.For != "" {
		slot += "!" + d.For
	}
	return Ref{IncidentKey: d.IncidentKey, Slot: slot}
}

// Slot names a delivery inside its incident: it sorts by episode, then by
// sequence, then by destination.
func Slot(episode, sequence int, destination string) string {
	return fmt.Sprintf("%s%06d#%s", EpisodePrefix(episode), sequence, destination)
}

// Episode is the one that a slot belongs to.
func (r Ref) Episode() int {
	n, _, _ := strings.Cut(r.Slot, "#")
	episode, err := strconv.Atoi(n)
	if err != nil {
		return 0
	}
	return episode
}

// EpisodePrefix is what all slots of one episode start with.
func EpisodePrefix(episode int) string { return fmt.Sprintf("%06d#", episode) }

// ID derives the identity of a delivery. It is the idempotency key that a
// provider is handed, and what a message shows; it reveals nothing about the incident
// to anybody who does not know it. The environment is part of it because two stages
// may have incidents of the same key and tell the same receiver.
func ID(environment, incidentKey string, episode, sequence int, destination string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s|%d:%s|%d|%d|%s", len(environment), environment,
		len(incidentKey), incidentKey, episode, sequence, destination))
	return "d1-" + hex.EncodeToString(sum[:10])
}
