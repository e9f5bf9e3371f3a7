package explain

import (
	"context"
	"slices"

	"github.com/ringonce/ringonce/internal/incident"
)

// inForce returns the policy of each source that incidents will be reminded of by:
// the configured one, or that of the newest decision on what the source said, as
// far as it is stored. It reads one log for each source that is not configured.
func (x *Explainer) reminderPolicies(ctx context.Context, all []incident.State) (map[string]incident.Policy, error) {
	policies, newest := map[string]incident.Policy{}, map[string]incident.State{}
	for _, s := range all {
		if x.Config != nil {
			if p, ok := x.Config.PolicyFor(s.Source); ok {
				policies[s.Source] = p
				continue
			}
		}
		// What is not open, or is taken on, reminds nobody by any policy.
		if s.Open && !s.Acked() && s.LastNotified.After(newest[s.Source].LastNotified) {
			newest[s.Source] = s
		}
	}
	for source, s := range newest {
		p, ok, err := x.lastPolicy(ctx, s.Key, source)
		if err != nil {
			return nil, err
		}
		if ok {
			policies[source] = p
		}
	}
	return policies, nil
}

// decidedBy is the policy of the newest decision on what a source said of a key.
func (x *Explainer) lastPolicy(ctx context.Context, key, source string) (p incident.Policy, ok bool, err error) {
	log, err := x.Store.Decisions(ctx, key)
	if err != nil {
		return p, false, err
	}
	for _, d := range slices.Backward(log) {
		if d.Source == source && d.PolicyHash != "" {
			return newRules(x.Store, x.Config, incident.State{}, nil).lookUp(ctx, d.PolicyHash)
		}
	}
	return p, false, nil
}
