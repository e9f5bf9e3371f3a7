package incident

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// policyJSON is Policy as it is stored. The order of its fields is part of
// every policy's hash.
type policyJSON struct {
	FailingRequired int      `json:"failing_required"`
	HealthyRequired int      `json:"healthy_required"`
	Cooldown        duration `json:"cooldown"`
	CooldownGrowth  float64  `json:"cooldown_growth"`
	CooldownMax     duration `json:"cooldown_max"`
	MaxReminders    int      `json:"max_reminders"`
	StaleAfter      duration `json:"stale_after"`
	ReopenWithin    duration `json:"reopen_within"`
	FlapEpisodes    int      `json:"flap_episodes"`
	FlapWindow      duration `json:"flap_window"`
	FlapStableTicks int      `json:"flap_stable_ticks"`
}

func (p Policy) stored() policyJSON {
	return policyJSON{
		FailingRequired: p.FailingRequired, HealthyRequired: p.HealthyRequired,
		Cooldown: duration(p.Cooldown), CooldownGrowth: p.CooldownGrowth, CooldownMax: duration(p.CooldownMax),
		MaxReminders: p.MaxReminders, StaleAfter: duration(p.StaleAfter), ReopenWithin: duration(p.ReopenWithin),
		FlapEpisodes: p.FlapEpisodes, FlapWindow: duration(p.FlapWindow), FlapStableTicks: p.FlapStableTicks,
	}
}

func (j policyJSON) policy() Policy {
	return Policy{
		FailingRequired: j.FailingRequired, HealthyRequired: j.HealthyRequired,
		Cooldown: time.Duration(j.Cooldown), CooldownGrowth: j.CooldownGrowth, CooldownMax: time.Duration(j.CooldownMax),
		MaxReminders: j.MaxReminders, StaleAfter: time.Duration(j.StaleAfter), ReopenWithin: time.Duration(j.ReopenWithin),
		FlapEpisodes: j.FlapEpisodes, FlapWindow: time.Duration(j.FlapWindow), FlapStableTicks: j.FlapStableTicks,
	}
}

// MarshalJSON writes every field. It fails only if the growth factor is not
// finite, which configuration rejects.
func (p Policy) MarshalJSON() ([]byte, error) { return json.Marshal(p.stored()) }

// UnmarshalJSON reads the output of MarshalJSON. An absent field keeps its value,
// so a partial policy can override defaults. An unknown field is an error, because
// this version could not apply it.
func (p *Policy) UnmarshalJSON(data []byte) error {
	j := p.stored()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&j); err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	*p = j.policy()
	return nil
}

// Hash returns an identifier of the policy's content, by which a decision records
// the policy in force. Equal policies have equal hashes, whatever their names.
func (p Policy) Hash() string {
	content, err := p.MarshalJSON()
	if err != nil {
		return "p1-unencodable"
	}
	sum := sha256.Sum256(content)
	return "p1-" + hex.EncodeToString(sum[:8])
}

// duration is a time.Duration encoded in JSON as a string: "30m0s".
type duration time.Duration

func (d duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a time such as 30m or 1h30m: %w", text, err)
	}
	*d = duration(v)
	return nil
}
