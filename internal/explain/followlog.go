package explain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// followLog follows the decisions of ticks before the given one, or all that are
// left if it is zero, up to the first that was made on an observation still to be
// replayed. No stored observation leads to the others: their observations have
// expired; or a lapse, a person or the end of a silence made the decision.
func (r *replay) followLog(ctx context.Context, before time.Time) error {
	for r.next < len(r.log) {
		d := r.log[r.next]
		if !before.IsZero() && !d.Tick.Before(before) {
			return nil
		}
		if d.Action.Observed() && (r.arrivals.Holds(d.Source, d.Tick) || slices.ContainsFunc(r.batch, r.decidedOn)) {
			return nil
		}
		if err := r.follow(ctx); err != nil {
			return err
		}
	}
	return nil
}

// followUnobserved follows the decisions without an observation that stand in the
// log right before the decision on an observation, if there is one.
func (r *replay) followUnobserved(ctx context.Context, o observation.Observation) error {
	n := slices.IndexFunc(r.log[r.next:], func(d incident.Decision) bool { return d.Action.Observed() })
	if n < 0 || !madeOn(r.log[r.next+n], o) {
		return nil
	}
	for range n {
		if err := r.follow(ctx); err != nil {
			return err
		}
	}
	return nil
}

// follow takes the next decision of the log without an observation. It is a
// difference if the decision was made on an observation that ought to be stored.
func (r *replay) follow(ctx context.Context) error {
	d := r.log[r.next]
	var p incident.Policy
	if d.PolicyHash != "" || d.Action.Observed() {
		var err error
		if p, err = r.policies.policy(ctx, d.Source, d.PolicyHash); err != nil {
			return err
		}
	}
	reason := incident.ParseReason(d.Reason)
	switch {
	case r.window.Stored == 0 || d.Tick.Before(r.window.First):
		r.withoutEvidence++
	case r.expiredDecisions > 0 && r.next == 0:
		// The decisions that led to this one have expired.
	case d.Action.Observed() && reason.Code != incident.Lapsed:
		r.addDifference(d.Tick, fmt.Sprintf("%s %d.%d, %s", d.Action, d.Episode, d.Sequence, d.Reason), "no "+string(d.Action))
	}
	r.next++
	r.state = adopt(r.state, d)
	r.adoptAlternatives(d)
	r.clearDoubts(d)
	r.addAction(judgement{
		observation: observation.Observation{Tick: d.Tick, Source: d.Source, Verdict: observation.Unknown},
		state:       r.state, policy: p, action: d.Action, reason: reason, episode: d.Episode,
	}, d)
	return nil
}
