package config

import (
	"strconv"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Layer is where a policy value may be set. A later layer wins.
type Layer string

// The layers, from the weakest to the strongest.
const (
	LayerDefault Layer = "built-in"
	LayerPolicy  Layer = "policy"
	LayerOwner   Layer = "owner"
	LayerSource  Layer = "source"
)

const (
	maxStreak = 10_000
	maxWait   = 366 * day
	maxGrowth = 100
	// The words for zero: no reminders, no limit.
	never = "never"
	none  = "none"
)

// ruling is a policy with the layers that set its values.
type ruling struct {
	policy incident.Policy
	layers []policyLayer
}

type policyLayer struct {
	layer  Layer
	fields *fields
	// policy is the policy up to and including this layer.
	policy incident.Policy
}

// policy reads one layer over those below it: a field that the layer lacks keeps its
// value.
func (f *fields) policy(base ruling, layer Layer) ruling {
	p := base.policy
	p.FailingRequired = f.count("failing_required", p.FailingRequired, 1, maxStreak)
	p.HealthyRequired = f.count("healthy_required", p.HealthyRequired, 1, maxStreak)
	p.Cooldown = f.durationOr(never, "cooldown", p.Cooldown, time.Minute, maxWait)
	p.CooldownGrowth = f.growth("cooldown_growth", p.CooldownGrowth)
	p.CooldownMax = f.durationOr(none, "cooldown_max", p.CooldownMax, time.Minute, maxWait)
	p.MaxReminders = f.countOr(none, "max_reminders", p.MaxReminders, 1, maxStreak)
	p.StaleAfter = f.durationOr(never, "stale_after", p.StaleAfter, time.Minute, maxWait)
	p.ReopenWithin = f.durationOr(never, "reopen_within", p.ReopenWithin, time.Minute, maxWait)
	p.FlapEpisodes = f.countOr(none, "flap_episodes", p.FlapEpisodes, 2, 100)
	p.FlapWindow = f.duration("flap_window", p.FlapWindow, time.Minute, maxWait)
	p.FlapStableTicks = f.count("flap_stable_ticks", p.FlapStableTicks, 1, maxStreak)
	f.end()
	layers := append(base.layers[:len(base.layers):len(base.layers)], policyLayer{layer, f, p})
	return ruling{policy: p, layers: layers}
}

// growth returns a factor of at least 1. It refuses NaN and infinities, since a
// policy that holds one could not be hashed.
func (f *fields) growth(name string, def float64) float64 {
	n := f.scalar(name)
	if n == nil {
		return def
	}
	v, err := strconv.ParseFloat(n.text, 64)
	if err != nil || !n.number || !(v >= 1 && v <= maxGrowth) {
		f.fail(name, show(n.text)+" is not a number from 1 to "+strconv.Itoa(maxGrowth), "1 means no growth, 2 doubles the wait after each reminder")
		return def
	}
	return v
}

// origin returns the place and layer that set a value; if no layer does, the place is
// otherwise.
func (r ruling) origin(name string, otherwise Place) (Place, Layer) {
	for i := len(r.layers) - 1; i >= 0; i-- {
		if at, ok := r.layers[i].fields.given(name); ok {
			return at, r.layers[i].layer
		}
	}
	return otherwise, LayerDefault
}
