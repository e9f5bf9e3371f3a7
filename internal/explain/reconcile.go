package explain

import (
	"context"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// reconcile compares a judgement with the log and moves the replay's state on.
func (r *replay) reconcile(ctx context.Context, j judgement) error {
	if j.action == incident.None {
		r.state = j.state
		r.addSilent(j)
		return nil
	}
	logged := r.decidedOn(j.observation)
	switch {
	case logged && r.log[r.next].Action == j.action:
		return r.confirm(ctx, j)
	case !logged && r.expiredDecisions > 0 && r.next == 0:
		r.unloggedActions++
		r.state = j.state
		r.addSilent(j)
	case !logged && r.isUndecided(j.observation):
		r.undecided++
	case r.unobservedNext(j.observation.Tick):
		// Decide folded the observation after that decision, which has its tick.
		if err := r.follow(ctx); err != nil {
			return err
		}
		return r.reconcile(ctx, r.rejudge(j))
	default:
		// The log has no action here, or another one, which is followed later.
		r.addDifference(j.observation.Tick, "no "+string(j.action), fmt.Sprintf("%s, %s, by policy %s", j.action, j.reason.Code, j.policy.Hash()))
	}
	return nil
}

// confirm takes a judgement whose action is that of the next decision of the log.
func (r *replay) confirm(ctx context.Context, j judgement) error {
	d := r.log[r.next]
	r.next++
	if r.next > 1 || r.expiredDecisions == 0 {
		// The first decision after expired ones depends on them, and is not compared.
		r.compare(j, d)
	}
	if d.Left > 0 {
		return r.confirmPartial(ctx, j, d)
	}
	j.state.Episode, j.state.Sequence = d.Episode, d.Sequence
	r.state = j.state
	r.clearDoubts(d)
	r.addAction(j, d)
	return nil
}

// confirmPartial takes a resolve that was committed for only some of its
// destinations. It uses up a sequence number and changes nothing else of the state.
// If the next decision, for the other destinations, is on the same observation, the
// observation is judged again.
func (r *replay) confirmPartial(ctx context.Context, j judgement, d incident.Decision) error {
	r.addAction(j, d)
	if !r.decidedOn(j.observation) {
		r.state = adopt(r.state, d)
		return nil
	}
	if r.log[r.next].Sequence > d.Sequence {
		// A worker was lost between the two.
		r.state = adopt(r.state, d)
	}
	return r.reconcile(ctx, r.rejudge(j))
}

// compare adds a difference if a decision of the log has another number or reason
// than the judgement on the same observation.
func (r *replay) compare(j judgement, d incident.Decision) {
	got := fmt.Sprintf("%s %d.%d, %s", j.action, j.state.Episode, j.state.Sequence, j.reason)
	want := fmt.Sprintf("%s %d.%d, %s", d.Action, d.Episode, d.Sequence, d.Reason)
	if got != want {
		r.addDifference(d.Tick, want, got)
	}
}

// rejudge decides on the same observation from the present state.
func (r *replay) rejudge(j judgement) judgement {
	j.state, j.action, j.reason = incident.Decide(r.state, j.observation, j.policy)
	j.episode = episodeOf(j.state, j.action)
	return j
}

// decidedOn reports whether the next decision of the log was made on an observation.
func (r *replay) decidedOn(o observation.Observation) bool {
	return r.next < len(r.log) && madeOn(r.log[r.next], o)
}

// madeOn reports whether a decision was made on an observation.
func madeOn(d incident.Decision, o observation.Observation) bool {
	return d.Tick.Equal(o.Tick) && d.Source == o.Source && d.Action.Observed() && incident.ParseReason(d.Reason).Code != incident.Lapsed
}

// unobservedNext reports whether the next decision of the log has a tick and was
// made without an observation.
func (r *replay) unobservedNext(tick time.Time) bool {
	return r.next < len(r.log) && r.log[r.next].Tick.Equal(tick) && !r.log[r.next].Action.Observed()
}

// loggedAction returns the action of the log on an observation.
func (r *replay) loggedAction(o observation.Observation) incident.Action {
	if r.decidedOn(o) {
		return r.log[r.next].Action
	}
	return incident.None
}

// isUndecided reports whether an observation is newer than the last one that decide
// has folded of its source.
func (r *replay) isUndecided(o observation.Observation) bool {
	v, ok := r.stored.Sources[o.Source]
	if ok {
		return o.Tick.After(v.Tick)
	}
	return o.Tick.After(r.stored.LastFailing) && o.Tick.After(r.stored.LastHealthy)
}
