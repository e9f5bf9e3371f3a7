package config

import (
	"strconv"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Setting is one value of a source's policy and where it was set.
type Setting struct {
	Name  string
	Value string
	Layer Layer
	// Place is where the value is set; empty for a built-in default.
	Place Place
	// Over are the weaker settings that it overrides, strongest first.
	Over []Setting
}

var policyValues = []struct {
	name  string
	value func(incident.Policy) string
}{
	{"failing_required", func(p incident.Policy) string { return strconv.Itoa(p.FailingRequired) }},
	{"healthy_required", func(p incident.Policy) string { return strconv.Itoa(p.HealthyRequired) }},
	{"cooldown", func(p incident.Policy) string { return durationOr(p.Cooldown, never) }},
	{"cooldown_growth", func(p incident.Policy) string { return strconv.FormatFloat(p.CooldownGrowth, 'g', -1, 64) }},
	{"cooldown_max", func(p incident.Policy) string { return durationOr(p.CooldownMax, none) }},
	{"max_reminders", func(p incident.Policy) string { return countOr(p.MaxReminders, none) }},
	{"stale_after", func(p incident.Policy) string { return durationOr(p.StaleAfter, never) }},
	{"reopen_within", func(p incident.Policy) string { return durationOr(p.ReopenWithin, never) }},
	{"flap_episodes", func(p incident.Policy) string { return countOr(p.FlapEpisodes, none) }},
	{"flap_window", func(p incident.Policy) string { return durationOr(p.FlapWindow, none) }},
	{"flap_stable_ticks", func(p incident.Policy) string { return countOr(p.FlapStableTicks, none) }},
}

// settings returns where every value of a resolved policy comes from.
func (r ruling) settings() []Setting {
	out := make([]Setting, 0, len(policyValues))
	for _, v := range policyValues {
		chain := []Setting{{Name: v.name, Layer: LayerDefault, Value: v.value(incident.DefaultPolicy())}}
		for _, l := range r.layers {
			if at, ok := l.fields.given(v.name); ok {
				chain = append([]Setting{{Name: v.name, Layer: l.layer, Place: at, Value: v.value(l.policy)}}, chain...)
			}
		}
		winner := chain[0]
		winner.Over = chain[1:]
		out = append(out, winner)
	}
	return out
}

func durationOr(d time.Duration, zero string) string {
	if d == 0 {
		return zero
	}
	return FormatDuration(d)
}

func countOr(n int, zero string) string {
	if n == 0 {
		return zero
	}
	return strconv.Itoa(n)
}
