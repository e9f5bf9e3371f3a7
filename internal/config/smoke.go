package config

import (
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// smokePrefix begins the source that a smoke test of one destination speaks as.
// A colon cannot be part of a source's id, so that the ids never meet.
const smokePrefix = "smoke:"

// SmokeOwner is whom a smoke test's messages are charged to: they are as real as
// any, and nobody's incidents.
const SmokeOwner = "smoke"

// SmokeID is the source that a smoke test of a destination speaks as. Every
// configuration knows it, for each of its destinations.
func SmokeID(destination string) string { return smokePrefix + destination }

// IsSmoke reports whether a source is a smoke test.
func IsSmoke(source string) bool { return strings.HasPrefix(source, smokePrefix) }

// smoke returns the destination that a source tests.
func (c *Config) smoke(source string) (destination string, ok bool) {
	id, ok := strings.CutPrefix(source, smokePrefix)
	_, exists := c.Destinations[id]
	return id, ok && exists
}

// SmokePolicy is the policy of smoke tests: it opens at once, resolves with the
// second healthy tick and reminds nobody. A test that was cut off lapses soon.
func SmokePolicy() incident.Policy {
	return incident.Policy{FailingRequired: 1, HealthyRequired: 2, CooldownGrowth: 1, StaleAfter: 10 * time.Minute}
}

// smokeOwner owns the test of a destination: it is told there and nowhere else.
func (c *Config) smokeOwner(destination string) Owner {
	return Owner{ID: SmokeOwner, CostCenter: SmokeOwner, Destinations: c.Recipients(destination), Policy: SmokePolicy()}
}

const smokeAction = "Nothing: this is a test of the way from an observation to you, made with `ringonce smoke`."
