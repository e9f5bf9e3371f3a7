package config

import (
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
)

// reachabilitySuffix cannot be part of a source's id, so that the two kinds of
// id never meet.
const reachabilitySuffix = "/reachability"

// DefaultUnreachableAfter is how many failed polls in a row make a source an
// incident of its own.
const DefaultUnreachableAfter = 3

// ReachabilityID is the source that a poll speaks as when it reports whether
// the source itself can be read.
func ReachabilityID(sourceID string) string { return sourceID + reachabilitySuffix }

// lookup finds the configured source of an id or of its reachability id.
func (c *Config) lookup(id string) (src *Source, reachability bool) {
	base, reachability := strings.CutSuffix(id, reachabilitySuffix)
	for i := range c.Sources {
		if c.Sources[i].ID == base {
			return &c.Sources[i], reachability
		}
	}
	return nil, reachability
}

// HasSource reports whether a source, or the source of a reachability id, is
// configured.
func (c *Config) HasSource(id string) bool {
	src, _ := c.lookup(id)
	return src != nil
}

// PolicyFor returns the policy of a source or of its reachability. The latter
// opens after UnreachableAfter failed polls, resolves with the first good one,
// and takes everything else from the source.
func (c *Config) PolicyFor(id string) (incident.Policy, bool) {
	src, reachability := c.lookup(id)
	if src == nil {
		return incident.Policy{}, false
	}
	p := src.Policy
	if reachability {
		p.HealthyRequired = 1
		p.FailingRequired = src.UnreachableAfter
		if p.FailingRequired == 0 {
			// Switched off since: what is still under way keeps a sound policy.
			p.FailingRequired = DefaultUnreachableAfter
		}
	}
	return p, true
}

// OwnerOf returns the owner of a source's incidents and of its reachability.
func (c *Config) OwnerOf(id string) (Owner, bool) {
	src, _ := c.lookup(id)
	if src == nil {
		return Owner{}, false
	}
	o, ok := c.Owners[src.Owner]
	return o, ok
}

// OperatorActionFor returns the sentence that says what a person does about an
// incident of a source, or about not reaching it; empty for an unknown source.
func (c *Config) OperatorActionFor(id string) string {
	src, reachability := c.lookup(id)
	switch {
	case src == nil:
		return ""
	case reachability:
		return "Check that " + src.ID + " is reachable and its credentials are valid: Ringonce is blind to it until then."
	default:
		return src.OperatorAction
	}
}
