package incident

import (
	"math"
	"time"
)

// Policy holds the rules that an owner sets for Decide. Its content is its
// identity, not its name: see Hash. In JSON, durations are strings such as "30m0s".
type Policy struct {
	// FailingRequired is how many failing ticks in a row open an incident.
	FailingRequired int
	// HealthyRequired is how many healthy ticks in a row resolve it.
	HealthyRequired int
	// Cooldown is the time from one notification of an open incident to the
	// next reminder. Zero means no reminders.
	Cooldown time.Duration
	// CooldownGrowth multiplies the cooldown after each reminder; 1 is none.
	CooldownGrowth float64
	// CooldownMax caps a growing cooldown; zero is no cap.
	CooldownMax time.Duration
	// MaxReminders is how many reminders one episode sends; zero is no limit.
	MaxReminders int
	// StaleAfter is how long a source's last verdict stays valid after the source
	// stops reporting the key; zero means for ever. Once no verdict is valid and
	// the sources have answered throughout, the incident lapses: see Lapse.
	StaleAfter time.Duration
	// ReopenWithin is how soon after a resolve a new episode counts as reopened;
	// zero means never.
	ReopenWithin time.Duration
	// FlapEpisodes is the number of opens inside FlapWindow that makes a key
	// flapping. That open is announced; nothing follows until the key has been
	// healthy, or failing, for FlapStableTicks consecutive ticks. Zero is off.
	FlapEpisodes    int
	FlapWindow      time.Duration
	FlapStableTicks int
}

// DefaultPolicy returns the policy for everything that configuration leaves out.
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

// cooldownAfter returns the cooldown that follows the given number of reminders.
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
