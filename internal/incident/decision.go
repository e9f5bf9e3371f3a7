package incident

import "time"

// Action is what a decision does to the outside world.
type Action string

// The actions. None is a decision too: it has a reason and tells nobody.
const (
	None    Action = "none"
	Open    Action = "open"
	Remind  Action = "remind"
	Resolve Action = "resolve"
)

// Decision is the record of one action of one incident key, kept for ever
// beside the state. Decisions of none are not recorded: replaying the stored
// observations through Decide recovers them.
type Decision struct {
	IncidentKey string
	// Seq is the position in the key's log of decisions, from 1.
	Seq      int64
	Episode  int
	Sequence int
	Action   Action
	Reason   string
	Tick     time.Time
	Source   string
	// PolicyHash and ConfigHash name the rules the decision was made by.
	PolicyHash string
	ConfigHash string
	// DecidedAt is the wall-clock time of the decision; nothing decides by it.
	DecidedAt time.Time
}
