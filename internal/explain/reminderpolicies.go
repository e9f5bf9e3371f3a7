package explain

import (
	"context"
	"slices"

	"github.com/ringonce/ringonce/internal/incident"
)

// reminderPolicies returns, by source, the policy by which the next reminder is due: the
// configured one, or that of the source's newest decision, if it is stored. It reads the
// log of one incident for each source that is not configured.
func (x *Explainer) reminderPolicies(ctx context.Context, all []incident.State) (map[string]incident.Policy, error) {
	policies, newest := map[string]incident.Policy{}, map[string]incident.State{}
	for _, s := range all {
		if x.Config != nil {
			if p, ok := x.Config.PolicyFor(s.Source); ok {
				policies[s.Source] = p
				continue
			}
		}
		// An incident that is not open, or is acknowledged, has no reminder.
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

// lastPolicy returns the policy of the newest decision on a source's observation of a
// key.
func (x *Explainer) lastPolicy(ctx context.Context, key, source string) (p incident.Policy, ok bool, err error) {
	log, err := x.Store.Decisions(ctx, key)
	if err != nil {
		return p, false, err
	}
	for _, d := range slices.Backward(log) {
		if d.Source == source && d.PolicyHash != "" {
			return newPolicyFinder(x.Store, x.Config, incident.State{}, nil).lookUp(ctx, d.PolicyHash)
		}
	}
	return p, false, nil
}
