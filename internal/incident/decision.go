package incident

import "time"

// Action is what a decision does to the outside world.
type Action string

// The actions. None is a decision too: it has a reason and sends no message.
const (
	None    Action = "none"
	Open    Action = "open"
	Remind  Action = "remind"
	Resolve Action = "resolve"
	// SilenceEnded announces an incident that is still open to destinations that
	// a silence had suppressed.
	SilenceEnded Action = "silence_ended"
	// Ack and Unack record a person's acknowledgement or its withdrawal. They
	// send no message.
	Ack   Action = "ack"
	Unack Action = "unack"
)

// Observed reports whether Decide takes the action on an observation, so that
// replaying the observations reproduces it.
func (a Action) Observed() bool { return a == Open || a == Remind || a == Resolve }

// Decision is the record of one action of one incident key. It is stored beside
// the state for the configured retention. Decisions with action None are not
// recorded: replaying the stored observations through Decide reproduces them.
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
	// To lists the destinations of the action. Each has an outbox item.
	To []string
	// Left counts the destinations of the same resolve that later decisions cover,
	// because one transaction cannot hold them all. Until then the incident is open.
	Left int
	// PolicyHash and ConfigHash identify the policy and configuration in force.
	PolicyHash string
	ConfigHash string
	// Silenced maps each destination for which a silence suppressed this action
	// to the silence's id.
	Silenced map[string]string
	// Note is the comment of the person who made the decision.
	Note string
	// DecidedAt is the wall-clock time of the decision. No decision reads it.
	DecidedAt time.Time
}
