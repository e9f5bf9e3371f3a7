package replay

import (
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Candidate is one policy to try.
type Candidate struct {
	Name   string
	Policy incident.Policy
	// For, if set, returns the policy for an observation and replaces Policy, as for
	// a configuration with several owners and sources.
	For func(observation.Observation) incident.Policy
}

func (c Candidate) policyFor(o observation.Observation) incident.Policy {
	if c.For != nil {
		return c.For(o)
	}
	return c.Policy
}

// Notice is one action that a policy would have sent, in the order of the trace.
type Notice struct {
	Tick        string          `json:"tick"`
	IncidentKey string          `json:"key"`
	Episode     int             `json:"episode"`
	Sequence    int             `json:"sequence"`
	Action      incident.Action `json:"action"`
	Reason      string          `json:"reason"`
	Owner       string          `json:"owner"`
}
