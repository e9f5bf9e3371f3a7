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

// judgement is what was decided on one observation, before it is written.
type judgement struct {
	// before is the state that was decided on, state the one that follows.
	before, state incident.State
	observation   observation.Observation
	policy        incident.Policy
	action        incident.Action
	reason        incident.Reason
	// at is the wall clock's time of the decision, which its rows share.
	at time.Time
}

// commit writes the new state, the decision's record and one outbox item per
// destination, in one transaction, and returns the state as it now stands. What a
// silence keeps back is written as well, as an item that is never sent.
func (d *Decider) commit(ctx context.Context, silences *silenceReader, j judgement) (incident.State, error) {
	j.at = d.Now()
	who, err := d.audience(silences, j.state, d.ownerOf(j.state.Source, j.state.Owner), j.action, j.at)
	if err != nil {
		return j.state, err
	}
	if j.action == incident.Resolve {
		if who, j, err = d.inParts(ctx, who, j); err != nil {
			return j.state, err
		}
	}
	return d.tell(ctx, who, j)
}

// tell is commit for an audience that is known.
func (d *Decider) tell(ctx context.Context, who audience, j judgement) (incident.State, error) {
	d.keepPolicy(ctx, j.policy)
	j.before = j.state
	j.state = d.heard(j.state, j.action, who)
	j.state.DecisionSeq++
	record := d.record(j.state, j)
	record.To, record.Silenced = who.all(), who.silenced
	out, err := writer{d, j, d.page(ctx, j.state, who)}.items(who)
	if err != nil {
		return j.state, err
	}
	d.logSilenced(ctx, j.state, j.action, who)
	if err := d.Store.Commit(ctx, j.state, record, out); err != nil {
		return j.state, fmt.Errorf("commit %s of episode %d: %w", j.action, j.state.Episode, err)
	}
	j.state.Version++
	return j.state, nil
}

// record is the entry in the log of decisions, as of the given state.
func (d *Decider) record(s incident.State, j judgement) incident.Decision {
	return incident.Decision{
		IncidentKey: s.Key, Seq: s.DecisionSeq, Episode: s.Episode, Sequence: s.Sequence,
		Action: j.action, Reason: j.reason.String(), Tick: j.observation.Tick, Source: j.observation.Source,
		PolicyHash: j.policy.Hash(), ConfigHash: d.Config.Hash, DecidedAt: j.at,
	}
}

func (d *Decider) logSilenced(ctx context.Context, s incident.State, a incident.Action, who audience) {
	for _, to := range slices.Sorted(maps.Keys(who.silenced)) {
		d.Log.InfoContext(ctx, "silenced", "incident_key", s.Key, "action", string(a), "episode", s.Episode,
			"destination", to, "silence", who.silenced[to])
	}
}

// writer writes what goes out with one judgement. Its state before tells who was
// told of the episode, and from whom a silence kept it.
type writer struct {
	*Decider
	judgement
	// page is the link to the incident's page.
	page string
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
		Source: o.Source, Tick: o.Tick, CreatedAt: w.at,
		State: delivery.Pending, DueAt: delivery.FirstDue(w.at),
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
