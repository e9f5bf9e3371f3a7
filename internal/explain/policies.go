package explain

import (
	"context"
	"fmt"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// policiesOf returns the default policy and those of a configuration.
func policiesOf(cfg *config.Config) []incident.Policy {
	all := []incident.Policy{incident.DefaultPolicy()}
	if cfg == nil {
		return all
	}
	for _, o := range cfg.Owners {
		all = append(all, o.Policy)
	}
	for _, s := range cfg.Sources {
		all = append(all, s.Policy)
	}
	return all
}

// policies returns the policies of a source by their hashes.
func (f *policyFinder) policies(ctx context.Context, source string, hashes []string) ([]incident.Policy, error) {
	policies := make([]incident.Policy, 0, 2)
	for _, hash := range hashes {
		p, err := f.policy(ctx, source, hash)
		if err != nil {
			return nil, err
		}
		policies = append(policies, p)
	}
	return policies, nil
}

// configuredFor returns the configured policy of a source, if there is one.
func (f *policyFinder) configuredFor(source string) (incident.Policy, bool) {
	if f.cfg == nil {
		return incident.Policy{}, false
	}
	return f.cfg.PolicyFor(source)
}

// policy returns a policy by its hash. One that is neither stored nor configured is
// replaced; a note says so, because the replay may then differ from the log.
func (f *policyFinder) policy(ctx context.Context, source, hash string) (incident.Policy, error) {
	if p, ok := f.cache[hash+" "+source]; ok {
		return *p, nil
	}
	p, found, err := f.lookUp(ctx, hash)
	if err != nil {
		return p, err
	}
	if c, ok := f.configuredFor(source); ok && !found && c.Hash() == hash {
		p, found = c, true
	}
	if !found {
		p = f.substitute(source, hash)
	}
	f.cache[hash+" "+source] = &p
	return p, nil
}

// lookUp returns a policy from the configuration or the store. A stored one that this
// version cannot read counts as not found, with a note.
func (f *policyFinder) lookUp(ctx context.Context, hash string) (incident.Policy, bool, error) {
	if hash == "" {
		return incident.Policy{}, false, nil
	}
	if p, ok := f.configured[hash]; ok {
		return p, true, nil
	}
	content, err := f.store.Policy(ctx, hash)
	if err != nil || len(content) == 0 {
		return incident.Policy{}, false, err
	}
	p := incident.DefaultPolicy()
	if err := p.UnmarshalJSON(content); err != nil {
		f.notes = append(f.notes, fmt.Sprintf("policy %s is stored, but this version cannot obey it: %v", hash, err))
		return incident.Policy{}, false, nil
	}
	return p, true, nil
}

// substitute returns the configured policy of a source, or the default one, in place
// of a policy that is not known, and adds a note.
func (f *policyFinder) substitute(source, hash string) incident.Policy {
	f.unknown[hash] = true
	p, what := incident.DefaultPolicy(), "the built-in default"
	if c, ok := f.configuredFor(source); ok {
		p, what = c, "the configured one"
	}
	which := "no policy is known"
	if hash != "" {
		which = "policy " + hash + " is not stored and not in the configuration"
	}
	f.notes = append(f.notes, fmt.Sprintf("%s for source %s: replayed by %s (%s) instead, so reasons and differences may be wrong; give the configuration with --config",
		which, source, what, p.Hash()))
	return p
}
