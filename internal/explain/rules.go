package explain

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// rules knows by which policy an observation was judged. Decisions name theirs
// by hash; the content is stored, or in the configuration.
type rules struct {
	store Store
	cfg   *config.Config
	// bySource are the decisions of each source, and all those of any, by tick.
	bySource map[string][]incident.Decision
	all      []incident.Decision
	// row knows since when the sources were judged by which policy.
	state incident.State
	// spoke are the sources whose observations were judged.
	observed []string
	// noted are the sources that there is a note on.
	borrowed map[string]bool
	cache    map[string]*incident.Policy
	// configured are the policies of the configuration by their hash.
	configured map[string]incident.Policy
	// assumed are the hashes of policies that are nowhere.
	unknown map[string]bool
	notes   []string
}

func newRules(s Store, cfg *config.Config, row incident.State, log []incident.Decision) *rules {
	r := &rules{
		store: s, cfg: cfg, state: row, bySource: map[string][]incident.Decision{},
		cache: map[string]*incident.Policy{}, configured: map[string]incident.Policy{}, borrowed: map[string]bool{},
		unknown: map[string]bool{},
	}
	for _, d := range log {
		if d.PolicyHash == "" && !d.Action.Observed() {
			continue // what a person says is by no policy
		}
		r.bySource[d.Source] = append(r.bySource[d.Source], d)
		r.all = append(r.all, d)
	}
	byTick := func(a, b incident.Decision) int { return a.Tick.Compare(b.Tick) }
	slices.SortStableFunc(r.all, byTick)
	for _, all := range r.bySource {
		slices.SortStableFunc(all, byTick)
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

// at returns the policies by which an observation may have been judged, and whether it is known by which: by that of the decision at this very
// tick, or by the one that the incident's row names. What the row does not know, or
// has forgotten, may have been judged by, the likeliest first, those of the decisions
// before and after it, or the configured one after the last; and those by which the
// incident's other sources were judged about then, which mostly have the same owner.
func (r *rules) policiesFor(ctx context.Context, o observation.Observation) (policies []incident.Policy, known bool, err error) {
	source, tick := o.Source, o.Tick
	if !slices.Contains(r.observed, source) {
		r.observed = append(r.observed, source)
	}
	hashes, known := hashesNear(r.bySource[source], tick)
	if !known {
		if hash, ok := r.state.InForceAt(source, tick); ok {
			hashes, known = []string{hash}, true
		}
	}
	policies, err = r.policies(ctx, source, hashes)
	if err != nil || known {
		return policies, known && !r.unknown[hashes[0]], err
	}
	ownKnown := len(policies) > 0
	if p, ok := r.configuredFor(source); ok && r.afterLastDecision(source, tick) {
		policies, ownKnown = append(policies, p), true
	}
	policies, err = r.addLikely(ctx, o, policies, hashes)
	other := func(p incident.Policy) bool { return p != policies[0] }
	return policies, ownKnown && err == nil && !r.state.Forgets() && !slices.ContainsFunc(policies, other), err
}

// likely adds the policies of other sources' decisions, and the configured ones.
func (r *rules) addLikely(ctx context.Context, o observation.Observation, policies []incident.Policy, hashes []string) ([]incident.Policy, error) {
	source, tick := o.Source, o.Tick
	others, _ := hashesNear(r.all, tick)
	others = slices.DeleteFunc(others, func(hash string) bool { return slices.Contains(hashes, hash) })
	if len(policies) == 0 {
		if len(others) == 0 {
			return r.policies(ctx, source, []string{""})
		}
		if o.Verdict != observation.Unknown {
			r.noteBorrowed(source)
		}
	}
	more, err := r.policies(ctx, source, others)
	policies = append(policies, more...)
	return append(policies, r.configuredPolicies(tick)...), err
}

// during are the policies that were in force of a source at any time between two
// ticks, as far as the incident's row knows.
func (r *rules) inForceBetween(ctx context.Context, source string, from, to time.Time) ([]incident.Policy, error) {
	var hashes []string
	if hash, ok := r.state.InForceAt(source, from); ok {
		hashes = append(hashes, hash)
	}
	for _, p := range r.state.Policies {
		if p.Source == source && p.From.After(from) && !p.From.After(to) {
			hashes = append(hashes, p.Policy)
		}
	}
	return r.policies(ctx, source, hashes)
}

// configuredNow are the configured policies of all sources that have spoken, behind
// the last decision of any.
func (r *rules) configuredPolicies(tick time.Time) (policies []incident.Policy) {
	if n := len(r.all); n > 0 && !r.all[n-1].Tick.Before(tick) {
		return nil
	}
	for _, source := range r.observed {
		if p, ok := r.configuredFor(source); ok {
			policies = append(policies, p)
		}
	}
	return policies
}

// behind reports whether a tick is behind the last decision of a source.
func (r *rules) afterLastDecision(source string, tick time.Time) bool {
	log := r.bySource[source]
	return len(log) == 0 || log[len(log)-1].Tick.Before(tick)
}

func (r *rules) noteBorrowed(source string) {
	if !r.borrowed[source] {
		r.borrowed[source] = true
		r.notes = append(r.notes, fmt.Sprintf("no policy is known for source %s: replayed by those of this incident's other sources instead, so reasons and differences may be wrong", source))
	}
}

// around are the policies of a log that is sorted by tick: that of the decision on
// an observation of the very tick, or those before and after it.
func hashesNear(log []incident.Decision, tick time.Time) (hashes []string, exact bool) {
	// i is the first decision at the tick or after it.
	i := sort.Search(len(log), func(i int) bool { return !log[i].Tick.Before(tick) })
	if i < len(log) && log[i].Tick.Equal(tick) && log[i].Action.Observed() {
		return []string{log[i].PolicyHash}, true
	}
	for _, d := range log[max(0, i-1):min(len(log), i+1)] {
		hashes = append(hashes, d.PolicyHash)
	}
	return slices.Compact(hashes), false
}

func (r *rules) policies(ctx context.Context, source string, hashes []string) ([]incident.Policy, error) {
	policies := make([]incident.Policy, 0, 2)
	for _, hash := range hashes {
		p, err := r.policy(ctx, source, hash)
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
func (r *rules) policy(ctx context.Context, source, hash string) (incident.Policy, error) {
	if p, ok := r.cache[hash+" "+source]; ok {
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
		p = r.substitute(source, hash)
	}
	r.cache[hash+" "+source] = &p
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

func (r *rules) substitute(source, hash string) incident.Policy {
	r.unknown[hash] = true
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
