package decide

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// withPolicy records in the state by which policy a source is judged. If the policy has
// changed it is stored, since it may lead to no decision that would store it.
func (d *Decider) withPolicy(ctx context.Context, s incident.State, source string, tick time.Time, p incident.Policy) incident.State {
	s, changed := s.Under(source, tick, p.Hash())
	if changed {
		d.storePolicy(ctx, p)
	}
	return s
}

// storePolicy stores a policy's content under the hash that decisions record, once per
// process. A failure does not block the decision; the next one tries again.
func (d *Decider) storePolicy(ctx context.Context, p incident.Policy) {
	hash := p.Hash()
	if _, done := d.storedPolicies.Load(hash); done {
		return
	}
	content, err := p.MarshalJSON()
	if err == nil {
		err = d.Store.PutPolicy(ctx, hash, content)
	}
	if err != nil {
		d.Log.WarnContext(ctx, "policy_not_kept", "policy_hash", hash, "error", err.Error())
		return
	}
	d.storedPolicies.Store(hash, true)
}

// ownerAt returns the owner of a notice at a destination. Sources of several owners may
// have reported the incident, and the destinations of each owner have been told. It
// returns the owner of the source that failed last if the destination is theirs, or
// else the first of the incident's other owners whose destination it is.
func (d *Decider) ownerAt(s incident.State, destination string) config.Owner {
	first := d.ownerOf(s.Source, s.Owner)
	all := []config.Owner{first, d.Config.Owners[s.Owner]}
	for _, id := range slices.Sorted(maps.Keys(s.Sources)) {
		all = append(all, d.ownerOf(id, s.Owner))
	}
	for _, owner := range all {
		if slices.Contains(owner.Destinations, destination) {
			return owner
		}
	}
	return first
}

// ownerOf returns the owner of a source's incidents. The incidents of a source that is
// no longer configured keep the owner that they had.
func (d *Decider) ownerOf(source, before string) config.Owner {
	if owner, ok := d.Config.OwnerOf(source); ok {
		return owner
	}
	if owner, ok := d.Config.Owners[before]; ok {
		return owner
	}
	return config.Owner{ID: before, Policy: incident.DefaultPolicy()}
}
