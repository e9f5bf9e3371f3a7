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

// State is the state of a delivery in the ledger.
type State string

// The states of the ledger. Delivered, Held, Superseded, Dead and Silenced are
// final: such an item is sent again only if a person requests it.
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

// Final reports whether the state is final.
func (s State) Final() bool {
	switch s {
	case Delivered, Held, Superseded, Dead, Silenced:
		return true
	default:
		return false
	}
}

// Ref locates a stored delivery: its incident and its slot within it.
type Ref struct {
	IncidentKey string
	Slot        string
}

// Delivery is one action for one destination, with everything needed to send it
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
	// DueAt is the earliest time of the next claim; unused once final.
	DueAt time.Time
	// Attempts are the first few and the latest; Tries counts all of them.
	Attempts []Attempt
	// LeftOut counts the attempts that are no longer stored, by day.
	LeftOut []LeftOut
	// Note says why the item was superseded, held or given up.
	Note string
	// Receipt is the provider's latest report about the accepted message.
	Receipt Receipt
	// In is the id of the delivery whose message covers this item: a digest, or an
	// earlier item of the same incident. Empty if the item has its own message.
	In string
	// For is the destination that this item replaces as its fallback; empty for
	// all other items.
	For string
	// SilencedBy is the id of the silence that suppressed the item.
	SilencedBy string
	// Insisted reports that a person asked to send the item although it may have
	// arrived.
	Insisted bool
}

// Attempt is one try to send. While Class is empty it is still running, or its
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

// MayHaveArrived reports whether the outcome of the attempt is uncertain: the
// answer was ambiguous, or no outcome is recorded.
func (a Attempt) MayHaveArrived() bool { return a.Class == Ambiguous || a.Class == "" }

// Ref returns the location of the delivery. A fallback item has its own slot, since
// the fallback may also be a regular destination of the incident.
func (d Delivery) Ref() Ref {
	slot := Slot(d.Episode, d.Sequence, d.Destination)
	if d.For != "" {
		slot += "!" + d.For
	}
	return Ref{IncidentKey: d.IncidentKey, Slot: slot}
}

// Slot returns the name of a delivery within its incident. Slots sort by episode,
// then sequence, then destination.
func Slot(episode, sequence int, destination string) string {
	return fmt.Sprintf("%s%06d#%s", EpisodePrefix(episode), sequence, destination)
}

// Episode returns the episode number in the slot, or zero if it has none.
func (r Ref) Episode() int {
	n, _, _ := strings.Cut(r.Slot, "#")
	episode, err := strconv.Atoi(n)
	if err != nil {
		return 0
	}
	return episode
}

// EpisodePrefix returns the common prefix of all slots of an episode.
func EpisodePrefix(episode int) string { return fmt.Sprintf("%06d#", episode) }

// ID derives the id of a delivery. It is shown in messages and passed to providers
// as the idempotency key. It is a hash, so it does not reveal the incident. It
// includes the environment because two stages may have incidents with the same key
// and the same recipient.
func ID(environment, incidentKey string, episode, sequence int, destination string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s|%d:%s|%d|%d|%s", len(environment), environment,
		len(incidentKey), incidentKey, episode, sequence, destination))
	return "d1-" + hex.EncodeToString(sum[:10])
}
