package decide

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// commit writes the new state, the decision's record and one outbox item per
// destination, in one transaction, and returns the state as it now stands. What a
// silence keeps back is written as well, as an item that is never sent. Before is the
// state that was decided on.
func (d *Decider) commit(ctx context.Context, q *quiet, before, s incident.State, o observation.Observation, p incident.Policy, a incident.Action, r incident.Reason) (incident.State, error) {
	now := d.Now()
	who, err := d.audience(q, s, d.ownerOf(s.Source, s.Owner), a, now)
	if err != nil {
		return s, err
	}
	if a == incident.Resolve {
		if who, s, err = d.inParts(ctx, who, before, s, o, p, r, now); err != nil {
			return s, err
		}
	}
	return d.tell(ctx, who, s, o, p, a, r, now)
}

// tell is commit for an audience that is known.
func (d *Decider) tell(ctx context.Context, who audience, s incident.State, o observation.Observation, p incident.Policy, a incident.Action, r incident.Reason, now time.Time) (incident.State, error) {
	d.keepPolicy(ctx, p)
	before := s
	s = d.heard(s, a, who)
	s.DecisionSeq++
	record := d.record(s, o, p, a, r, now)
	record.To, record.Silenced = who.all(), who.silenced
	w := writer{d, s, o, p, a, r, before, d.page(ctx, s, who), now}
	out, err := w.items(who)
	if err != nil {
		return s, err
	}
	d.logSilenced(ctx, s, a, who)
	if err := d.Store.Commit(ctx, s, record, out); err != nil {
		return s, fmt.Errorf("commit %s of episode %d: %w", a, s.Episode, err)
	}
	s.Version++
	return s, nil
}

func (d *Decider) record(s incident.State, o observation.Observation, p incident.Policy, a incident.Action, r incident.Reason, now time.Time) incident.Decision {
	return incident.Decision{
		IncidentKey: s.Key, Seq: s.DecisionSeq, Episode: s.Episode, Sequence: s.Sequence,
		Action: a, Reason: r.String(), Tick: o.Tick, Source: o.Source,
		PolicyHash: p.Hash(), ConfigHash: d.Config.Hash, DecidedAt: now,
	}
}

func (d *Decider) logSilenced(ctx context.Context, s incident.State, a incident.Action, who audience) {
	for _, to := range slices.Sorted(maps.Keys(who.silenced)) {
		d.Log.InfoContext(ctx, "silenced", "incident_key", s.Key, "action", string(a), "episode", s.Episode,
			"destination", to, "silence", who.silenced[to])
	}
}

// writer writes what goes out with one decision.
type writer struct {
	*Decider
	state       incident.State
	observation observation.Observation
	policy      incident.Policy
	action      incident.Action
	reason      incident.Reason
	// before is the state before this decision: who was told of the episode, and
	// who was kept from it.
	before incident.State
	// page is the link to the incident's page.
	page string
	now  time.Time
}

func (w writer) items(who audience) ([]delivery.Delivery, error) {
	out := make([]delivery.Delivery, 0, len(who.told)+len(who.silenced))
	for _, id := range who.told {
		item, err := w.item(w.Config.Destinations[id])
		if err != nil {
			return nil, err
		}
		out = append(out, item)
	}
	for _, id := range slices.Sorted(maps.Keys(who.silenced)) {
		item, err := w.item(w.Config.Destinations[id])
		if err != nil {
			return nil, err
		}
		out = append(out, item.Silence(who.silenced[id]))
	}
	return out, nil
}

// page is the link that all messages of a decision have.
func (d *Decider) page(ctx context.Context, s incident.State, who audience) string {
	if d.Page == nil || len(who.told)+len(who.silenced) == 0 {
		return ""
	}
	return d.Page(ctx, s.Key, s.Episode)
}

func (w writer) item(to config.Destination) (delivery.Delivery, error) {
	s, o := w.state, w.observation
	owner := w.ownerAt(s, to.ID)
	item := delivery.Delivery{
		ID:          delivery.ID(w.Config.Environment, s.Key, s.Episode, s.Sequence, to.ID),
		IncidentKey: s.Key, Episode: s.Episode, Sequence: s.Sequence, Action: w.action,
		Destination: to.ID, Channel: to.Channel, Owner: owner.ID, CostCenter: owner.CostCenter,
		Source: o.Source, Tick: o.Tick, CreatedAt: w.now,
		State: delivery.Pending, DueAt: delivery.FirstDue(w.now),
	}
	item.Notice = notice.New(notice.Input{
		State: s, Observation: o, Action: w.action, Reason: w.reasonFor(to.ID), Policy: w.policy,
		Environment: w.Config.Environment, Owner: owner.ID, CostCenter: owner.CostCenter,
		OperatorAction: w.todo(owner), Zone: owner.TimeZone, Page: w.page, DeliveryID: item.ID,
		Unannounced: w.action == incident.SilenceEnded && !slices.Contains(w.before.Told, to.ID),
	})
	payload, err := w.Render(to.Channel, item.Notice)
	if err != nil {
		return item, fmt.Errorf("write the %s message for destination %s: %w", to.Channel, to.ID, err)
	}
	item.Payload = payload
	return item, nil
}

// todo is what an owner's source asks for: the one that the decision is by, unless that
// is another owner's and what failed was not.
func (w writer) todo(owner config.Owner) string {
	by := w.observation.Source
	if of, ok := w.Config.OwnerOf(by); !ok || of.ID != owner.ID {
		if failed := w.Config.OperatorActionFor(w.state.Source); failed != "" {
			return failed
		}
	}
	return w.Config.OperatorActionFor(by)
}

// reasonFor is the reason with the silence that kept this one destination from
// knowing: each may have had its own.
func (w writer) reasonFor(destination string) incident.Reason {
	r := w.reason
	if id := w.before.Silenced[destination]; id != "" && w.action == incident.SilenceEnded {
		r.By = id
	}
	return r
}
