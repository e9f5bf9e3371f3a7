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

// judgement is a decision on one observation, before it is written.
type judgement struct {
	// before is the state before the decision, state the one after it.
	before, state incident.State
	observation   observation.Observation
	policy        incident.Policy
	action        incident.Action
	reason        incident.Reason
	// at is the wall-clock time of the decision, shared by all its rows.
	at time.Time
}

// commit writes the new state, the decision's record and one outbox item per
// destination in one transaction, and returns the stored state. An item that a silence
// suppresses is written too, but never sent.
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
	return d.commitTo(ctx, who, j)
}

// commitTo is commit for a given audience.
func (d *Decider) commitTo(ctx context.Context, who audience, j judgement) (incident.State, error) {
	d.storePolicy(ctx, j.policy)
	j.before = j.state
	j.state = d.withAudience(j.state, j.action, who)
	j.state.DecisionSeq++
	record := d.record(j.state, j)
	record.To, record.Silenced = who.all(), who.silenced
	out, err := itemWriter{d, j, d.page(ctx, j.state, who)}.items(who)
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

// record returns the decision's log entry, numbered by the given state.
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

// itemWriter makes the outbox items of one judgement. The judgement's state before
// says who was told of the episode, and for whom a silence suppressed it.
type itemWriter struct {
	*Decider
	judgement
	// page is the link to the incident's page.
	page string
}

func (w itemWriter) items(who audience) ([]delivery.Delivery, error) {
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

// page returns the page link that all messages of a decision share, or "".
func (d *Decider) page(ctx context.Context, s incident.State, who audience) string {
	if d.Page == nil || len(who.told)+len(who.silenced) == 0 {
		return ""
	}
	return d.Page(ctx, s.Key, s.Episode)
}

func (w itemWriter) item(to config.Destination) (delivery.Delivery, error) {
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
		OperatorAction: w.operatorAction(owner), Zone: owner.TimeZone, Page: w.page, DeliveryID: item.ID,
		Unannounced: w.action == incident.SilenceEnded && !slices.Contains(w.before.Told, to.ID),
	})
	payload, err := w.Render(to.Channel, item.Notice)
	if err != nil {
		return item, fmt.Errorf("write the %s message for destination %s: %w", to.Channel, to.ID, err)
	}
	item.Payload = payload
	return item, nil
}

// operatorAction returns the operator action to show to an owner: that of the source
// that led to the decision or, if that source belongs to another owner, that of the
// source that failed.
func (w itemWriter) operatorAction(owner config.Owner) string {
	by := w.observation.Source
	if of, ok := w.Config.OwnerOf(by); !ok || of.ID != owner.ID {
		if failed := w.Config.OperatorActionFor(w.state.Source); failed != "" {
			return failed
		}
	}
	return w.Config.OperatorActionFor(by)
}

// reasonFor returns the reason with the silence that suppressed the episode for this
// destination: each destination may have had its own.
func (w itemWriter) reasonFor(destination string) incident.Reason {
	r := w.reason
	if id := w.before.Silenced[destination]; id != "" && w.action == incident.SilenceEnded {
		r.By = id
	}
	return r
}
