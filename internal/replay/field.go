package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
)

// set changes one field of a policy by its name in the configuration. It checks only
// the value's type; package config decides which values a deployment may use.
func set(p *incident.Policy, field, text string) error {
	value := json.RawMessage(text)
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		value, _ = json.Marshal(text)
	}
	content, err := json.Marshal(map[string]json.RawMessage{field: value})
	if err != nil {
		return fmt.Errorf("%s=%s: %w", field, text, err)
	}
	next := *p
	if err := json.Unmarshal(content, &next); err != nil {
		return fmt.Errorf("%s=%s: %w (the fields are %s)", field, text, err, strings.Join(policyFields(), ", "))
	}
	if err := sane(next); err != nil {
		return fmt.Errorf("%s=%s: %w", field, text, err)
	}
	*p = next
	return nil
}

func sane(p incident.Policy) error {
	switch {
	case p.FailingRequired < 1 || p.HealthyRequired < 1:
		return fmt.Errorf("a streak is at least 1 tick long")
	case p.CooldownGrowth < 1:
		return fmt.Errorf("a cooldown grows by a factor of at least 1")
	case min(p.Cooldown, p.CooldownMax, p.StaleAfter, p.ReopenWithin, p.FlapWindow) < 0:
		return fmt.Errorf("a time cannot be negative")
	case min(p.MaxReminders, p.FlapEpisodes, p.FlapStableTicks) < 0:
		return fmt.Errorf("a number cannot be negative")
	default:
		return nil
	}
}

// policyFields returns the names of the fields as the configuration spells them.
func policyFields() []string {
	var fields map[string]json.RawMessage
	content, err := json.Marshal(incident.DefaultPolicy())
	if err == nil {
		err = json.Unmarshal(content, &fields)
	}
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
