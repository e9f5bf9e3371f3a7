package decide

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// under notes by which policy a source is judged, and keeps the policy when it is
// another one than before: what it decides may be that nobody is told.
func (d *Decider) under(ctx context.Context, s incident.State, source string, tick time.Time, p incident.Policy) incident.State {
	s, changed := s.Under(source, tick, p.Hash())
	if changed {
		d.keepPolicy(ctx, p)
	}
	return s
}

// keepPolicy stores a policy's content under the hash that decisions name,
// once in the life of the process. Failing to is no reason not to tell an
// incident: the next decision tries again.
func (d *Decider) keepPolicy(ctx context.Context, p incident.Policy) {
	hash := p.Hash()
	if _, done := d.kept.Load(hash); done {
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
	d.kept.Store(hash, true)
}

// ownerAt is whose a notice at a destination is. Sources of several owners may have
// reported the incident, and each owner's destinations have been told; who has the
// last word changes none of that. It is the owner of what failed last, or else
// another of the incident's owners, whose destination it is.
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

// ownerOf is whose a source's incidents are. The incidents of a source that is
// no longer configured stay those of the owner they had.
func (d *Decider) ownerOf(source, before string) config.Owner {
	if owner, ok := d.Config.OwnerOf(source); ok {
		return owner
	}
	if owner, ok := d.Config.Owners[before]; ok {
		return owner
	}
	return config.Owner{ID: before, Policy: incident.DefaultPolicy()}
}
