package explain

import (
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
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
	// Why answers, in plain words, why these notices came and no others.
	Why      string    `json:"why"`
	Episodes []Episode `json:"episodes"`
	Timeline []Entry   `json:"timeline"`
	// Differences are where a replay of the stored observations does not give
	// what the log of decisions says. There should be none.
	Differences []Difference `json:"differences"`
	// Notes say what limits this explanation: what has expired, which rules had
	// to be assumed.
	Notes      []string   `json:"notes"`
	Deliveries []Delivery `json:"deliveries"`
	// Silences are those that kept something back.
	Silences []Silence `json:"silences"`
	Evidence Evidence  `json:"evidence"`
}

// Identity is what the incident is and whose.
type Identity struct {
	Kind           string `json:"kind"`
	Parts          []Part `json:"parts"`
	Title          string `json:"title"`
	Environment    string `json:"environment,omitempty"`
	Owner          string `json:"owner"`
	CostCenter     string `json:"cost_center"`
	OperatorAction string `json:"operator_action"`
	// Policy is the one in force at the newest decision, or the configured one
	// when there is no decision yet.
	PolicyHash string           `json:"policy_hash"`
	Policy     *incident.Policy `json:"policy,omitempty"`
	ConfigHash string           `json:"config_hash"`
}

// Part is one named piece of the identity.
type Part struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// State is how the incident stands now.
type State struct {
	Status        string    `json:"status"`
	Episode       int       `json:"episode"`
	FailingStreak int       `json:"failing_streak"`
	HealthyStreak int       `json:"healthy_streak"`
	OpenedAt      time.Time `json:"opened_at,omitzero"`
	ResolvedAt    time.Time `json:"resolved_at,omitzero"`
	LastNotified  time.Time `json:"last_notified,omitzero"`
	NextReminder  time.Time `json:"next_reminder,omitzero"`
	// Ack is that a person has taken it on.
	Ack *Ack `json:"ack,omitempty"`
	// Silenced are the destinations that wait for the end of a silence, each
	// with the silence's id.
	Silenced map[string]string `json:"silenced,omitempty"`
}

// Ack is that a person has taken an incident on.
type Ack struct {
	By   string    `json:"by"`
	Note string    `json:"note,omitempty"`
	At   time.Time `json:"at"`
}

// Silence is what is known of a silence that kept something back.
type Silence struct {
	ID     string `json:"silence"`
	Reason string `json:"reason,omitempty"`
	Author string `json:"author,omitempty"`
	// Kept counts the messages.
	Kept int `json:"kept"`
}

// Window says which part of the history is shown.
type Window struct {
	Episode int       `json:"episode,omitempty"`
	From    time.Time `json:"from,omitzero"`
	To      time.Time `json:"to,omitzero"`
	// Stored counts all observations that were replayed, Shown those inside of
	// the window.
	Stored int       `json:"observations_stored"`
	Shown  int       `json:"observations_shown"`
	First  time.Time `json:"first_observation,omitzero"`
	Last   time.Time `json:"last_observation,omitzero"`
}

// Episode is one open→resolve cycle as the log of decisions has it.
type Episode struct {
	Number    int       `json:"episode"`
	Opened    time.Time `json:"opened,omitzero"`
	Resolved  time.Time `json:"resolved,omitzero"`
	Opens     int       `json:"opens"`
	Reminders int       `json:"reminders"`
	Resolves  int       `json:"resolves"`
	// Silent counts the decisions that told nobody, by reason code.
	Silent map[incident.Code]int `json:"silent"`

	codes map[incident.Code]*tally
}

// What an Entry is.
const (
	Observations = "observations"
	Decision     = "decision"
)

// Mixed stands for the verdict and the reason of an entry that was folded from
// several different ones, because there were too many to show.
const Mixed = "mixed"

// Entry is one line of the time line: an action, or a run of observations of one
// source with one verdict and one reason for telling nobody.
type Entry struct {
	What    string    `json:"what"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
	Source  string    `json:"source"`
	Verdict string    `json:"verdict"`
	Missing bool      `json:"missing,omitempty"`
	Unseen  bool      `json:"unseen,omitempty"`
	// Status is the vendor's own word, of the last observation.
	Status string `json:"status,omitempty"`
	Count  int    `json:"count"`

	Action incident.Action `json:"action"`
	Code   incident.Code   `json:"code"`
	// Reason is that of the last observation; Words says it in words.
	Reason   string `json:"reason"`
	Words    string `json:"words"`
	Episode  int    `json:"episode,omitempty"`
	Sequence int    `json:"sequence,omitempty"`
	// Logged is set on decisions that the log has, with when they were made and
	// by which rules.
	Logged bool `json:"logged,omitempty"`
	// To are the destinations that a decision was committed for.
	To         []string  `json:"to,omitempty"`
	DecidedAt  time.Time `json:"decided_at,omitzero"`
	PolicyHash string    `json:"policy_hash,omitempty"`
	ConfigHash string    `json:"config_hash,omitempty"`
	// Silenced are the destinations that a silence kept it from, each with the
	// silence's id; Note is what a person said with it.
	Silenced map[string]string `json:"silenced,omitempty"`
	Note     string            `json:"note,omitempty"`
	// Parts counts what a mixed entry is made of, by verdict and reason code.
	Parts map[string]int `json:"parts,omitempty"`

	lastJudgement judgement
	// left are those who are told of the same end later.
	left int
}

// Difference is a row of decisions in which the replay and the log differ.
type Difference struct {
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	Count int       `json:"count"`
	// Log and Replay say what each of them has.
	Log    string `json:"log"`
	Replay string `json:"replay"`
}

// Delivery is one message and how it went.
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
	// Note says why it was superseded, held or given up.
	Note string `json:"note,omitempty"`
	// SilencedBy is the silence that kept it back.
	SilencedBy string `json:"silenced_by,omitempty"`
	// In is the message that told this one, which has no attempts of its own then.
	In *Telling `json:"told_in,omitempty"`
	// For is the destination that this stands in for as its fallback, and Because
	// why that one could not be told.
	For     string    `json:"instead_of,omitempty"`
	Because string    `json:"because,omitempty"`
	DueAt   time.Time `json:"due_at,omitzero"`
	// Took is from the decision to the provider's acceptance, in seconds; zero
	// when there was none.
	Took float64 `json:"took_seconds,omitempty"`
	// Ambiguous is true when an attempt may have arrived without an answer.
	Ambiguous bool `json:"ambiguous"`
	// Receipt is the last that the provider said about it after taking it.
	Receipt  *delivery.Receipt `json:"receipt,omitempty"`
	Attempts []Attempt         `json:"attempts"`
}

// Telling is a message that tells others: a digest, or an earlier message of the
// same incident that had not gone yet.
type Telling struct {
	ID     string `json:"delivery_id"`
	Digest bool   `json:"digest"`
	// Destination is that of a digest, and Instead what its fallback was told when
	// it refused.
	Destination string   `json:"destination,omitempty"`
	Instead     *Telling `json:"instead,omitempty"`
	// Others are how many further messages it tells.
	Others    int       `json:"others"`
	State     string    `json:"state"`
	Note      string    `json:"note,omitempty"`
	Ambiguous bool      `json:"ambiguous"`
	Attempts  []Attempt `json:"attempts"`
}

// Attempt is one try to send.
type Attempt struct {
	Number  int       `json:"number"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"`
	// Waited is the time before it, in seconds: since the decision for the first
	// one, since the end of the one before for a retry.
	Waited float64 `json:"waited_seconds"`
	Took   float64 `json:"took_seconds"`
	// Class is what came of it; "running" when that is not known yet.
	Class      string `json:"class"`
	Status     int    `json:"status,omitempty"`
	Code       string `json:"code,omitempty"`
	ProviderID string `json:"provider_id,omitempty"`
	Retry      bool   `json:"retry"`
	// Repeat marks one that told its reader that it may be a repeat.
	Repeat bool `json:"repeat"`
}

// Evidence is the first and the last thing that the vendor said of the failure.
type Evidence struct {
	First *Seen `json:"first,omitempty"`
	Last  *Seen `json:"last,omitempty"`
}

// Seen is what a vendor said at one tick.
type Seen struct {
	Tick    time.Time `json:"tick,omitzero"`
	Source  string    `json:"source"`
	Status  string    `json:"status,omitempty"`
	Summary string    `json:"summary"`
	notice.Evidence
}
