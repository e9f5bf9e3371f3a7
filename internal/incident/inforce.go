package incident

import (
	"slices"
	"time"
)

// InForce is that what a source said was judged by a policy from a tick on.
type InForce struct {
	Source string
	From   time.Time
	// Policy is its hash.
	Policy string
}

// maxInForce bounds what a state remembers of policies: more changes than that
// within the life of an observation are of no use.
const maxInForce = 16

// Under notes the policy by which a source is judged from a tick on, where it is
// another one than before, and reports whether it is. No decision reads it: it is how
// a replay of the stored observations knows the policies by which nothing was decided.
func (s State) Under(source string, tick time.Time, policy string) (State, bool) {
	if last, ok := s.InForceAt(source, tick); ok && last == policy {
		return s, false
	}
	// The list is a new one: states share theirs.
	old := s.Policies[max(0, len(s.Policies)-maxInForce+1):]
	s.Policies = append(slices.Clone(old), InForce{Source: source, From: tick, Policy: policy})
	return s, true
}

// Forgets reports whether there may have been more policies than the state remembers.
func (s State) Forgets() bool { return len(s.Policies) == maxInForce }

// InForceAt is the hash of the policy by which a source was judged at a tick, as far
// as it is known.
func (s State) InForceAt(source string, tick time.Time) (policy string, known bool) {
	for _, p := range slices.Backward(s.Policies) {
		if p.Source == source && !p.From.After(tick) {
			return p.Policy, true
		}
	}
	return "", false
}
