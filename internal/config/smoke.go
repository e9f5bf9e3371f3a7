package config

import (
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// smokePrefix begins the id of the source of a destination's smoke test. A source's
// id cannot contain a colon, so the ids never collide.
const smokePrefix = "smoke:"

// SmokeOwner is the owner that a smoke test's messages are charged to: they cost as
// much as any, but belong to nobody's incidents.
const SmokeOwner = "smoke"

// SmokeID returns the id of the source of a destination's smoke test. Every
// configuration has one for each of its destinations.
func SmokeID(destination string) string { return smokePrefix + destination }

// IsSmoke reports whether a source is a smoke test.
func IsSmoke(source string) bool { return strings.HasPrefix(source, smokePrefix) }

// smoke returns the destination that a source tests.
func (c *Config) smoke(source string) (destination string, ok bool) {
	id, ok := strings.CutPrefix(source, smokePrefix)
	_, exists := c.Destinations[id]
	return id, ok && exists
}

// SmokePolicy returns the policy of smoke tests: open at once, resolve with the
// second healthy tick, no reminders. An interrupted test lapses soon.
func SmokePolicy() incident.Policy {
	return incident.Policy{FailingRequired: 1, HealthyRequired: 2, CooldownGrowth: 1, StaleAfter: 10 * time.Minute}
}

// smokeOwner returns the owner of a destination's smoke test, whose only destination
// it is.
func (c *Config) smokeOwner(destination string) Owner {
	return Owner{ID: SmokeOwner, CostCenter: SmokeOwner, Destinations: c.Recipients(destination), Policy: SmokePolicy()}
}

const smokeAction = "Nothing: this is a test of the way from an observation to you, made with `ringonce smoke`."
