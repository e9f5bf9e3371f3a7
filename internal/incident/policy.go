package incident

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"time"
)

// Policy is what an owner asks of Decide. Its content, not its name, is its
// identity: see Hash.
type Policy struct {
	// FailingRequired is how many failing ticks in a row open an incident.
	FailingRequired int `json:"failing_required"`
	// HealthyRequired is how many healthy ticks in a row resolve it.
	HealthyRequired int `json:"healthy_required"`
	// Cooldown is the time from one notification of an open incident to the
	// next reminder. Zero means no reminders.
	Cooldown time.Duration `json:"cooldown"`
	// CooldownGrowth multiplies the cooldown after each reminder; 1 is none.
	CooldownGrowth float64 `json:"cooldown_growth"`
	// CooldownMax caps a growing cooldown; zero is no cap.
	CooldownMax time.Duration `json:"cooldown_max"`
	// MaxReminders is how many reminders one episode sends; zero is no limit.
	MaxReminders int `json:"max_reminders"`
	// StaleAfter is how long a source's last verdict speaks for a key after the
	// source went silent; zero means for ever.
	StaleAfter time.Duration `json:"stale_after"`
	// ReopenWithin is how soon after a resolve a new episode counts as the same
	// trouble come back; zero means never.
	ReopenWithin time.Duration `json:"reopen_within"`
}

// DefaultPolicy is what holds where configuration is silent.
func DefaultPolicy() Policy {
	return Policy{
		FailingRequired: 1,
		HealthyRequired: 2,
		Cooldown:        30 * time.Minute,
		CooldownGrowth:  1,
		StaleAfter:      time.Hour,
		ReopenWithin:    30 * time.Minute,
	}
}

// Hash identifies the policy by its content, so that a decision can name the
// rules that it was made by. Equal policies hash alike whatever they are called.
func (p Policy) Hash() string {
	content, err := json.Marshal(p)
	if err != nil {
		// Only a NaN or infinite growth factor cannot be encoded, and
		// configuration refuses both.
		return "p1-unencodable"
	}
	sum := sha256.Sum256(content)
	return "p1-" + hex.EncodeToString(sum[:8])
}

// cooldownAfter is the wait that follows the given number of reminders.
func (p Policy) cooldownAfter(reminders int) time.Duration {
	wait := float64(p.Cooldown)
	if p.CooldownGrowth > 1 {
		wait *= math.Pow(p.CooldownGrowth, float64(reminders))
	}
	limit := float64(math.MaxInt64)
	if p.CooldownMax > 0 {
		limit = float64(p.CooldownMax)
	}
	if wait >= limit {
		return time.Duration(min(limit, float64(math.MaxInt64/2)))
	}
	return time.Duration(wait)
}
