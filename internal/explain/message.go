package explain

import (
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// Delivery is one message and what became of it.
type Delivery struct {
	ID          string          `json:"delivery_id"`
	Action      incident.Action `json:"action"`
	Episode     int             `json:"episode"`
	Sequence    int             `json:"sequence"`
	Destination string          `json:"destination"`
	Channel     string          `json:"channel"`
	Owner       string          `json:"owner"`
	CostCenter  string          `json:"cost_center"`
	Tick        time.Time       `json:"tick"`
	CreatedAt   time.Time       `json:"created_at"`
	State       string          `json:"state"`
	// Note says why the message was superseded, held or given up.
	Note string `json:"note,omitempty"`
	// SilencedBy is the id of the silence that suppressed the message.
	SilencedBy string `json:"silenced_by,omitempty"`
	// In is the message that told this one in its place; this one then has no attempts.
	In *Telling `json:"told_in,omitempty"`
	// For is the destination that this message is the fallback of, and Because why that
	// destination could not be told.
	For     string    `json:"instead_of,omitempty"`
	Because string    `json:"because,omitempty"`
	DueAt   time.Time `json:"due_at,omitzero"`
	// Took is the time from the decision to the provider's acceptance, in seconds; zero
	// if there was none.
	Took float64 `json:"took_seconds,omitempty"`
	// Ambiguous is set if an attempt may have arrived without an answer.
	Ambiguous bool `json:"ambiguous"`
	// Receipt is the provider's last report after it accepted the message.
	Receipt  *delivery.Receipt `json:"receipt,omitempty"`
	Attempts []Attempt         `json:"attempts"`
}

// Telling is a message that tells others in their place: a digest, or an earlier message
// of the same incident that was not sent yet.
type Telling struct {
	ID     string `json:"delivery_id"`
	Digest bool   `json:"digest"`
	// Destination is set for a digest. Instead is what its fallback was told if the
	// destination refused the digest.
	Destination string   `json:"destination,omitempty"`
	Instead     *Telling `json:"instead,omitempty"`
	// Others is the number of other messages that it tells.
	Others    int       `json:"others"`
	State     string    `json:"state"`
	Note      string    `json:"note,omitempty"`
	Ambiguous bool      `json:"ambiguous"`
	Attempts  []Attempt `json:"attempts"`
}

// Attempt is one attempt to send a message.
type Attempt struct {
	Number  int       `json:"number"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"`
	// Waited is the time in seconds since the decision or, for a retry, since the end of
	// the attempt before.
	Waited float64 `json:"waited_seconds"`
	Took   float64 `json:"took_seconds"`
	// Class is the class of the outcome; "running" before there is one.
	Class      string `json:"class"`
	Status     int    `json:"status,omitempty"`
	Code       string `json:"code,omitempty"`
	ProviderID string `json:"provider_id,omitempty"`
	Retry      bool   `json:"retry"`
	// Repeat is set if the message told its reader that it may be a repeat.
	Repeat bool `json:"repeat"`
}
