package explain

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// rules knows by which policy an observation was judged. Decisions name theirs
// by hash; the content is stored, or in the configuration.
type rules struct {
	store Store
	cfg   *config.Config
	// bySource are the decisions of each source, by tick.
	bySource map[string][]incident.Decision
	known    map[string]*incident.Policy
	// configured are the policies of the configuration by their hash.
	configured map[string]incident.Policy
	notes      []string
}

func newRules(s Store, cfg *config.Config, log []incident.Decision) *rules {
	r := &rules{
		store: s, cfg: cfg, bySource: map[string][]incident.Decision{},
		known: map[string]*incident.Policy{}, configured: map[string]incident.Policy{},
	}
	for _, d := range log {
		if d.PolicyHash == "" && !d.Action.Observed() {
			continue // what a person says is by no policy
		}
		r.bySource[d.Source] = append(r.bySource[d.Source], d)
	}
	for _, all := range r.bySource {
		slices.SortStableFunc(all, func(a, b incident.Decision) int { return a.Tick.Compare(b.Tick) })
	}
	for _, p := range policiesOf(cfg) {
		r.configured[p.Hash()] = p
	}
	return r
}

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

// at returns the policies by which a source's observation at a tick may have been
// judged, the likeliest first: that of the decision at this very tick; else those
// of the decisions before and after it, or the configured one after the last.
// When a policy changed between two decisions is written nowhere.
func (r *rules) at(ctx context.Context, source string, tick time.Time) ([]incident.Policy, error) {
	log := r.bySource[source]
	// i is the first decision at the tick or after it.
	i := sort.Search(len(log), func(i int) bool { return !log[i].Tick.Before(tick) })
	if i < len(log) && log[i].Tick.Equal(tick) {
		return r.all(ctx, source, log[i].PolicyHash)
	}
	var hashes []string
	if i > 0 {
		hashes = append(hashes, log[i-1].PolicyHash)
	}
	if i < len(log) {
		hashes = append(hashes, log[i].PolicyHash)
		return r.all(ctx, source, hashes...)
	}
	policies, err := r.all(ctx, source, hashes...)
	if p, ok := r.configuredFor(source); ok {
		policies = append(policies, p)
	}
	if len(policies) == 0 && err == nil {
		return r.all(ctx, source, "")
	}
	return policies, err
}

func (r *rules) all(ctx context.Context, source string, hashes ...string) ([]incident.Policy, error) {
	policies := make([]incident.Policy, 0, 2)
	for _, hash := range slices.Compact(hashes) {
		p, err := r.of(ctx, source, hash)
		if err != nil {
			return nil, err
		}
		policies = append(policies, p)
	}
	return policies, nil
}

func (r *rules) configuredFor(source string) (incident.Policy, bool) {
	if r.cfg == nil {
		return incident.Policy{}, false
	}
	return r.cfg.PolicyFor(source)
}

// of returns a policy by its hash. One that is neither stored nor configured is
// replaced by the configured one, which is noted: the replay may then differ.
func (r *rules) of(ctx context.Context, source, hash string) (incident.Policy, error) {
	if p, ok := r.known[hash+" "+source]; ok {
		return *p, nil
	}
	p, found, err := r.lookUp(ctx, hash)
	if err != nil {
		return p, err
	}
	if c, ok := r.configuredFor(source); ok && !found && c.Hash() == hash {
		p, found = c, true
	}
	if !found {
		p = r.assume(source, hash)
	}
	r.known[hash+" "+source] = &p
	return p, nil
}

func (r *rules) lookUp(ctx context.Context, hash string) (incident.Policy, bool, error) {
	if hash == "" {
		return incident.Policy{}, false, nil
	}
	if p, ok := r.configured[hash]; ok {
		return p, true, nil
	}
	content, err := r.store.Policy(ctx, hash)
	if err != nil || len(content) == 0 {
		return incident.Policy{}, false, err
	}
	p := incident.DefaultPolicy()
	if err := p.UnmarshalJSON(content); err != nil {
		r.notes = append(r.notes, fmt.Sprintf("policy %s is stored, but this version cannot obey it: %v", hash, err))
		return incident.Policy{}, false, nil
	}
	return p, true, nil
}

func (r *rules) assume(source, hash string) incident.Policy {
	p, what := incident.DefaultPolicy(), "the built-in default"
	if c, ok := r.configuredFor(source); ok {
		p, what = c, "the configured one"
	}
	which := "no policy is known"
	if hash != "" {
		which = "policy " + hash + " is not stored and not in the configuration"
	}
	r.notes = append(r.notes, fmt.Sprintf("%s for source %s: replayed by %s (%s) instead, so reasons and differences may be wrong; give the configuration with --config",
		which, source, what, p.Hash()))
	return p
}
