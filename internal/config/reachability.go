package config

import (
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
)

// What a poll reports about a source itself, it reports as a source of its own. A
// source's id cannot contain the suffixes, so the ids never collide.
const (
	reachabilitySuffix = "/reachability"
	overflowSuffix     = "/overflow"
)

// DefaultUnreachableAfter is how many failed polls in a row open an incident about
// the source itself.
const DefaultUnreachableAfter = 3

// ReachabilityID returns the id of the source under which a poll reports whether the
// source itself can be read.
func ReachabilityID(sourceID string) string { return sourceID + reachabilitySuffix }

// OverflowID returns the id of the source under which a poll reports that more keys
// of a source started to fail in one tick than its max_new_incidents.
func OverflowID(sourceID string) string { return sourceID + overflowSuffix }

// lookup finds the configured source of an id, of its reachability id or of its
// overflow id, and the suffix that distinguishes them.
func (c *Config) lookup(id string) (src *Source, suffix string) {
	base := id
	for _, s := range []string{reachabilitySuffix, overflowSuffix} {
		if cut, ok := strings.CutSuffix(id, s); ok {
			base, suffix = cut, s
		}
	}
	for i := range c.Sources {
		if c.Sources[i].ID == base {
			return &c.Sources[i], suffix
		}
	}
	return nil, suffix
}

// HasSource reports whether a source, or the source of a reachability or overflow id,
// or the destination of a smoke test's id, is configured.
func (c *Config) HasSource(id string) bool {
	if _, ok := c.smoke(id); ok {
		return true
	}
	src, _ := c.lookup(id)
	return src != nil
}

// PolicyFor returns the policy of a source, of its reachability or of its overflow.
// Reachability opens after UnreachableAfter failed polls and resolves with the first
// good one; an overflow opens at once. All other values are the source's.
func (c *Config) PolicyFor(id string) (incident.Policy, bool) {
	if _, ok := c.smoke(id); ok {
		return SmokePolicy(), true
	}
	src, suffix := c.lookup(id)
	if src == nil {
		return incident.Policy{}, false
	}
	p := src.Policy
	switch suffix {
	case overflowSuffix:
		p.FailingRequired = 1
	case reachabilitySuffix:
		p.HealthyRequired = 1
		p.FailingRequired = src.UnreachableAfter
		if p.FailingRequired == 0 {
			// It has been switched off since: an open incident still needs a valid
			// policy.
			p.FailingRequired = DefaultUnreachableAfter
		}
	}
	return p, true
}

// OwnerOf returns the owner of a source's incidents, its reachability and its
// overflow.
func (c *Config) OwnerOf(id string) (Owner, bool) {
	if destination, ok := c.smoke(id); ok {
		return c.smokeOwner(destination), true
	}
	src, _ := c.lookup(id)
	if src == nil {
		return Owner{}, false
	}
	o, ok := c.Owners[src.Owner]
	return o, ok
}

// OperatorActionFor returns the sentence that says what a person does about an
// incident of a source, about its being unreachable, or about its overflow; empty for
// an unknown source.
func (c *Config) OperatorActionFor(id string) string {
	if _, ok := c.smoke(id); ok {
		return smokeAction
	}
	src, suffix := c.lookup(id)
	switch {
	case src == nil:
		return ""
	case suffix == reachabilitySuffix:
		return "Check that " + src.ID + " is reachable and its credentials are valid: Ringonce is blind to it until then."
	case suffix == overflowSuffix:
		return "Look at " + src.ID + " for what its failures have in common: they are told one by one only when fewer start at a time."
	default:
		return src.OperatorAction
	}
}
