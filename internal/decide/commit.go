package decide

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// commit writes the new state, the decision's record and one outbox item per
// destination, in one transaction, and returns the state as it now stands.
func (d *Decider) commit(ctx context.Context, s incident.State, o observation.Observation, p incident.Policy, a incident.Action, r incident.Reason) (incident.State, error) {
	now := d.Now()
	owner := d.ownerOf(o.Source, o.Owner)
	d.keepPolicy(ctx, p)
	destinations := d.audience(s, owner, a)
	s.Told = told(s, a, destinations)
	s.DecisionSeq++
	record := incident.Decision{
		IncidentKey: s.Key, Seq: s.DecisionSeq, Episode: s.Episode, Sequence: s.Sequence,
		Action: a, Reason: r.String(), Tick: o.Tick, Source: o.Source,
		PolicyHash: p.Hash(), ConfigHash: d.Config.Hash, DecidedAt: now,
	}
	out := make([]delivery.Delivery, 0, len(destinations))
	for _, id := range destinations {
		item, err := d.outboxItem(s, o, p, a, r, owner, d.Config.Destinations[id], now)
		if err != nil {
			return s, err
		}
		out = append(out, item)
	}
	if err := d.Store.Commit(ctx, s, record, out); err != nil {
		return s, fmt.Errorf("commit %s of episode %d: %w", a, s.Episode, err)
	}
	s.Version++
	return s, nil
}

// audience is who is told: the owner's destinations, and for a resolve those
// that were told of this episode, which may have changed in between. When one of
// those is configured no more, it may only have a new name: then the owner's
// present ones are told too, rather than a channel be left with a failure that
// is over.
func (d *Decider) audience(s incident.State, owner config.Owner, a incident.Action) []string {
	ids := slices.Clone(owner.Destinations)
	if a == incident.Resolve && len(s.Told) > 0 {
		kept := d.configured(s.Told)
		if len(kept) == len(s.Told) {
			return kept
		}
		d.Log.Warn("destinations that were told of an incident are configured no more; its owner's present ones are told of its end",
			"incident_key", s.Key, "told", s.Told, "owner", owner.ID)
		ids = append(ids, kept...)
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	return d.configured(ids)
}

func (d *Decider) configured(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, ok := d.Config.Destinations[id]
		return !ok
	})
}

// told adds up the destinations of an episode.
func told(s incident.State, a incident.Action, destinations []string) []string {
	if a == incident.Open {
		return slices.Sorted(slices.Values(destinations))
	}
	all := slices.Concat(s.Told, destinations)
	slices.Sort(all)
	return slices.Compact(all)
}

func (d *Decider) outboxItem(s incident.State, o observation.Observation, p incident.Policy, a incident.Action, r incident.Reason, owner config.Owner, to config.Destination, now time.Time) (delivery.Delivery, error) {
	item := delivery.Delivery{
		ID:          delivery.ID(s.Key, s.Episode, s.Sequence, to.ID),
		IncidentKey: s.Key, Episode: s.Episode, Sequence: s.Sequence, Action: a,
		Destination: to.ID, Channel: to.Channel, Owner: owner.ID, CostCenter: owner.CostCenter,
		Source: o.Source, Tick: o.Tick, CreatedAt: now,
		State: delivery.Pending, DueAt: delivery.FirstDue(now),
	}
	item.Notice = notice.New(notice.Input{
		State: s, Observation: o, Action: a, Reason: r, Policy: p,
		Environment: d.Config.Environment, Owner: owner.ID, CostCenter: owner.CostCenter,
		OperatorAction: d.Config.OperatorActionFor(o.Source), DeliveryID: item.ID,
	})
	payload, err := d.Render(to.Channel, item.Notice)
	if err != nil {
		return item, fmt.Errorf("write the %s message for destination %s: %w", to.Channel, to.ID, err)
	}
	item.Payload = payload
	return item, nil
}
