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

// policyFinder finds the policy by which an observation was judged. Decisions and the
// incident's row name policies by hash; their content is stored, or in the
// configuration.
type policyFinder struct {
	store Store
	cfg   *config.Config
	// bySource holds each source's decisions, and all those of every source, by tick.
	bySource map[string][]incident.Decision
	all      []incident.Decision
	// state is the incident's row, which records from which tick on a source is
	// judged by which policy.
	state incident.State
	// observed are the sources whose observations were replayed so far.
	observed []string
	// borrowed are the sources for which a note says that policies of other sources
	// were used.
	borrowed map[string]bool
	cache    map[string]*incident.Policy
	// configured holds the policies of the configuration by their hash.
	configured map[string]incident.Policy
	// unknown holds the hashes of policies that are neither stored nor configured.
	unknown map[string]bool
	notes   []string
}

// newPolicyFinder returns a policyFinder for one incident, from its row and its log.
func newPolicyFinder(s Store, cfg *config.Config, row incident.State, log []incident.Decision) *policyFinder {
	f := &policyFinder{
		store: s, cfg: cfg, state: row, bySource: map[string][]incident.Decision{},
		cache: map[string]*incident.Policy{}, configured: map[string]incident.Policy{}, borrowed: map[string]bool{},
		unknown: map[string]bool{},
	}
	for _, d := range log {
		if d.PolicyHash == "" && !d.Action.Observed() {
			continue // an acknowledgement is by no policy
		}
		f.bySource[d.Source] = append(f.bySource[d.Source], d)
		f.all = append(f.all, d)
	}
	byTick := func(a, b incident.Decision) int { return a.Tick.Compare(b.Tick) }
	slices.SortStableFunc(f.all, byTick)
	for _, all := range f.bySource {
		slices.SortStableFunc(all, byTick)
	}
	for _, p := range policiesOf(cfg) {
		f.configured[p.Hash()] = p
	}
	return f
}

// policiesFor returns the policies by which an observation may have been judged, the
// likeliest first, and whether the first is known to be the one. It is known from the
// decision on the observation itself, or from the incident's row. Otherwise the
// candidates are:
//
//   - the policies of the source's decisions before and after the observation, or the
//     configured one after the source's last decision;
//   - those by which other sources of the incident were judged at that time, which
//     mostly have the same owner.
//
// The first candidate counts as known if all are the same, one of them is the
// source's own, and the row has forgotten none.
func (f *policyFinder) policiesFor(ctx context.Context, o observation.Observation) (policies []incident.Policy, known bool, err error) {
	source, tick := o.Source, o.Tick
	if !slices.Contains(f.observed, source) {
		f.observed = append(f.observed, source)
	}
	hashes, known := hashesNear(f.bySource[source], tick)
	if !known {
		if hash, ok := f.state.InForceAt(source, tick); ok {
			hashes, known = []string{hash}, true
		}
	}
	policies, err = f.policies(ctx, source, hashes)
	if err != nil || known {
		return policies, known && !f.unknown[hashes[0]], err
	}
	ownKnown := len(policies) > 0
	if p, ok := f.configuredFor(source); ok && f.afterLastDecision(source, tick) {
		policies, ownKnown = append(policies, p), true
	}
	policies, err = f.addLikely(ctx, o, policies, hashes)
	other := func(p incident.Policy) bool { return p != policies[0] }
	return policies, ownKnown && err == nil && !f.state.Forgets() && !slices.ContainsFunc(policies, other), err
}

// addLikely adds the policies of other sources' decisions around an observation, and
// the configured ones.
func (f *policyFinder) addLikely(ctx context.Context, o observation.Observation, policies []incident.Policy, hashes []string) ([]incident.Policy, error) {
	source, tick := o.Source, o.Tick
	otherHashes, _ := hashesNear(f.all, tick)
	otherHashes = slices.DeleteFunc(otherHashes, func(hash string) bool { return slices.Contains(hashes, hash) })
	if len(policies) == 0 {
		if len(otherHashes) == 0 {
			return f.policies(ctx, source, []string{""})
		}
		if o.Verdict != observation.Unknown {
			f.noteBorrowed(source)
		}
	}
	more, err := f.policies(ctx, source, otherHashes)
	policies = append(policies, more...)
	return append(policies, f.configuredPolicies(tick)...), err
}

// inForceBetween returns the policies that were in force for a source at any time
// between two ticks, as far as the incident's row knows.
func (f *policyFinder) inForceBetween(ctx context.Context, source string, from, to time.Time) ([]incident.Policy, error) {
	var hashes []string
	if hash, ok := f.state.InForceAt(source, from); ok {
		hashes = append(hashes, hash)
	}
	for _, p := range f.state.Policies {
		if p.Source == source && p.From.After(from) && !p.From.After(to) {
			hashes = append(hashes, p.Policy)
		}
	}
	return f.policies(ctx, source, hashes)
}

// configuredPolicies returns the configured policies of all sources observed so far
// for a tick after the last decision, and none for an earlier one.
func (f *policyFinder) configuredPolicies(tick time.Time) (policies []incident.Policy) {
	if n := len(f.all); n > 0 && !f.all[n-1].Tick.Before(tick) {
		return nil
	}
	for _, source := range f.observed {
		if p, ok := f.configuredFor(source); ok {
			policies = append(policies, p)
		}
	}
	return policies
}

// afterLastDecision reports whether a tick is after the last decision of a source.
func (f *policyFinder) afterLastDecision(source string, tick time.Time) bool {
	log := f.bySource[source]
	return len(log) == 0 || log[len(log)-1].Tick.Before(tick)
}

// noteBorrowed notes, once for each source, that policies of other sources are used.
func (f *policyFinder) noteBorrowed(source string) {
	if !f.borrowed[source] {
		f.borrowed[source] = true
		f.notes = append(f.notes, fmt.Sprintf("no policy is known for source %s: replayed by those of this incident's other sources instead, so reasons and differences may be wrong", source))
	}
}

// hashesNear returns, of decisions sorted by tick, the policy of the one that was made
// on an observation of that tick, or else of those before and after it. exact tells
// which.
func hashesNear(log []incident.Decision, tick time.Time) (hashes []string, exact bool) {
	// i is the first decision not before the tick.
	i := sort.Search(len(log), func(i int) bool { return !log[i].Tick.Before(tick) })
	if i < len(log) && log[i].Tick.Equal(tick) && log[i].Action.Observed() {
		return []string{log[i].PolicyHash}, true
	}
	for _, d := range log[max(0, i-1):min(len(log), i+1)] {
		hashes = append(hashes, d.PolicyHash)
	}
	return slices.Compact(hashes), false
}
