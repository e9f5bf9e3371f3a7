package incident

import (
	"slices"
	"time"
)

// InForce records that a source's observations were judged by a policy from a tick on.
type InForce struct {
	Source string
	From   time.Time
	// Policy is the policy's hash.
	Policy string
}

// maxInForce bounds the policies in a state. More changes than that within the retention
// of observations are not worth recording.
const maxInForce = 16

// Under records the policy by which a source is judged from a tick on and reports whether
// it has changed. No decision reads it. A replay of the stored observations needs it for
// policies that led to no recorded decision.
func (s State) Under(source string, tick time.Time, policy string) (State, bool) {
	if last, ok := s.InForceAt(source, tick); ok && last == policy {
		return s, false
	}
	// Copy the list, since states share it.
	old := s.Policies[max(0, len(s.Policies)-maxInForce+1):]
	s.Policies = append(slices.Clone(old), InForce{Source: source, From: tick, Policy: policy})
	return s, true
}

// Forgets reports whether there may have been more policies than the state holds.
func (s State) Forgets() bool { return len(s.Policies) == maxInForce }

// InForceAt returns the hash of the policy by which a source was judged at a tick, and
// false if it is not known.
func (s State) InForceAt(source string, tick time.Time) (policy string, known bool) {
	for _, p := range slices.Backward(s.Policies) {
		if p.Source == source && !p.From.After(tick) {
			return p.Policy, true
		}
	}
	return "", false
}
