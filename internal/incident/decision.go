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
	// SilenceEnded tells of an incident that goes on what a silence kept back.
	SilenceEnded Action = "silence_ended"
	// Ack and Unack are what a person says of an incident; they tell nobody.
	Ack   Action = "ack"
	Unack Action = "unack"
)

// Observed reports an action that Decide takes on an observation, and that a
// replay of the observations therefore recovers.
func (a Action) Observed() bool { return a == Open || a == Remind || a == Resolve }

// Decision is the record of one action of one incident key, kept beside the state
// for as long as the configuration says. Decisions of none are not recorded:
// replaying the stored observations through Decide recovers them.
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
	// To are the destinations that the action was committed for, each with an
	// outbox item.
	To []string
	// Left counts those who are told of the same end by decisions that follow,
	// because one transaction cannot hold them all; until then the incident is open.
	Left int
	// PolicyHash and ConfigHash name the rules the decision was made by.
	PolicyHash string
	ConfigHash string
	// Silenced are the destinations that a silence kept this action from, each
	// with the silence's id.
	Silenced map[string]string
	// Note is what a person said with it.
	Note string
	// DecidedAt is the wall-clock time of the decision; nothing decides by it.
	DecidedAt time.Time
}
