package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Mixed is the verdict or the reason of an entry that was merged from entries in which
// it differs, because there were too many to show.
const Mixed = "mixed"

// Entry is one line of the time line: a decision, or a run of observations of one
// source that have one verdict and told nobody for one reason.
type Entry struct {
	What    string    `json:"what"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
	Source  string    `json:"source"`
	Verdict string    `json:"verdict"`
	Missing bool      `json:"missing,omitempty"`
	Unseen  bool      `json:"unseen,omitempty"`
	// Status is the vendor's own status of the last observation.
	Status string `json:"status,omitempty"`
	Count  int    `json:"count"`

	Action incident.Action `json:"action"`
	Code   incident.Code   `json:"code"`
	// Reason is the reason of the last observation; Words says it in words.
	Reason   string `json:"reason"`
	Words    string `json:"words"`
	Episode  int    `json:"episode,omitempty"`
	Sequence int    `json:"sequence,omitempty"`
	// Logged is set on decisions of the log. They also have DecidedAt and the hashes of
	// the policy and the configuration.
	Logged bool `json:"logged,omitempty"`
	// To are the destinations that a decision was committed for.
	To         []string  `json:"to,omitempty"`
	DecidedAt  time.Time `json:"decided_at,omitzero"`
	PolicyHash string    `json:"policy_hash,omitempty"`
	ConfigHash string    `json:"config_hash,omitempty"`
	// Silenced are the destinations that were silenced, each with the silence's id; Note
	// is what a person wrote with the decision.
	Silenced map[string]string `json:"silenced,omitempty"`
	Note     string            `json:"note,omitempty"`
	// Parts counts the observations of a mixed entry by verdict and reason code.
	Parts map[string]int `json:"parts,omitempty"`

	lastJudgement judgement
	// left is the number of destinations that a later decision tells of the same end.
	left int
}

// verdict returns what was observed and how often, such as "failing ×14".
func (e Entry) verdict() string {
	switch {
	case e.What == Decision && !e.Action.Observed():
		return "-"
	case e.Count == 0:
		return "(nothing stored)"
	case e.Verdict == Mixed:
		return "mixed " + times(e.Count)
	case e.Missing:
		return "not reported " + times(e.Count)
	case e.Unseen:
		return "not seen " + times(e.Count)
	default:
		return e.Verdict + " " + times(e.Count)
	}
}

// Mark returns a decision's action in capitals, with its numbers; "-" for observations.
func (e Entry) Mark() string {
	if e.What != Decision {
		return "-"
	}
	return fmt.Sprintf("%s %d.%d", strings.ToUpper(string(e.Action)), e.Episode, e.Sequence)
}
