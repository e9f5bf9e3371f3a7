package explain

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Report is the explanation of one incident. As JSON it is what
// `ringonce explain --json` prints. All times are UTC; ticks are the scheduled
// times of polls, by which everything is decided.
type Report struct {
	Key      string   `json:"incident_key"`
	Found    Found    `json:"found"`
	Identity Identity `json:"identity"`
	State    State    `json:"state"`
	Window   Window   `json:"window"`
	// Why says in words why these notices came and no others.
	Why      string    `json:"why"`
	Episodes []Episode `json:"episodes"`
	Timeline []Entry   `json:"timeline"`
	// Differences are where a replay of the stored observations disagrees with the log
	// of decisions. There should be none.
	Differences []Difference `json:"differences"`
	// Notes say what limits the explanation, such as rows that have expired or policies
	// that are not known.
	Notes      []string   `json:"notes"`
	Deliveries []Delivery `json:"deliveries"`
	// Silences are the silences that suppressed a message.
	Silences []Silence `json:"silences"`
	Evidence Evidence  `json:"evidence"`
}

// Identity says what the incident is and who owns it.
type Identity struct {
	Kind           string `json:"kind"`
	Parts          []Part `json:"parts"`
	Title          string `json:"title"`
	Environment    string `json:"environment,omitempty"`
	Owner          string `json:"owner"`
	CostCenter     string `json:"cost_center"`
	OperatorAction string `json:"operator_action"`
	// Policy is the policy in force at the newest decision, or the configured one before
	// the first.
	PolicyHash string           `json:"policy_hash"`
	Policy     *incident.Policy `json:"policy,omitempty"`
	ConfigHash string           `json:"config_hash"`
}

// Part is one named part of the incident key.
type Part struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// State is the incident's present state.
type State struct {
	Status        string    `json:"status"`
	Episode       int       `json:"episode"`
	FailingStreak int       `json:"failing_streak"`
	HealthyStreak int       `json:"healthy_streak"`
	OpenedAt      time.Time `json:"opened_at,omitzero"`
	ResolvedAt    time.Time `json:"resolved_at,omitzero"`
	LastNotified  time.Time `json:"last_notified,omitzero"`
	NextReminder  time.Time `json:"next_reminder,omitzero"`
	// Ack is set if a person has acknowledged the incident.
	Ack *Ack `json:"ack,omitempty"`
	// Silenced are the destinations that are silenced, each with the silence's id.
	Silenced map[string]string `json:"silenced,omitempty"`
}

// Ack is a person's acknowledgement.
type Ack struct {
	By   string    `json:"by"`
	Note string    `json:"note,omitempty"`
	At   time.Time `json:"at"`
}

// Silence is a silence that suppressed a message. Reason and Author are empty if they
// are not known.
type Silence struct {
	ID     string `json:"silence"`
	Reason string `json:"reason,omitempty"`
	Author string `json:"author,omitempty"`
	// Kept counts the messages that it suppressed.
	Kept int `json:"kept"`
}

// Window says which part of the history is shown.
type Window struct {
	Episode int       `json:"episode,omitempty"`
	From    time.Time `json:"from,omitzero"`
	To      time.Time `json:"to,omitzero"`
	// Stored counts all stored observations, Shown those in the window.
	Stored int       `json:"observations_stored"`
	Shown  int       `json:"observations_shown"`
	First  time.Time `json:"first_observation,omitzero"`
	Last   time.Time `json:"last_observation,omitzero"`
}

// Episode is one cycle from open to resolve, according to the log of decisions.
type Episode struct {
	Number    int       `json:"episode"`
	Opened    time.Time `json:"opened,omitzero"`
	Resolved  time.Time `json:"resolved,omitzero"`
	Opens     int       `json:"opens"`
	Reminders int       `json:"reminders"`
	Resolves  int       `json:"resolves"`
	// Silent counts the observations that told nobody, by reason code.
	Silent map[incident.Code]int `json:"silent"`

	codes map[incident.Code]*tally
}

// Values of Entry.What.
const (
	Observations = "observations"
	Decision     = "decision"
)
