package decide

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// ErrNothingOpen reports that the incident is not open, or not acknowledged, so that
// there is nothing to change.
var ErrNothingOpen = errors.New("nothing to do")

// Acknowledge records that a person is working on an open incident, which stops its
// reminders until it resolves. It returns the new state.
func (d *Decider) Acknowledge(ctx context.Context, key, by, note string) (incident.State, error) {
	return d.commitManual(ctx, key, note, func(s incident.State, now time.Time) (incident.State, incident.Action, incident.Reason) {
		return incident.Acknowledge(s, incident.Acknowledgement{By: by, Note: note, At: now})
	})
}

// Unacknowledge withdraws an acknowledgement and returns the new state.
func (d *Decider) Unacknowledge(ctx context.Context, key, by string) (incident.State, error) {
	return d.commitManual(ctx, key, "", func(s incident.State, _ time.Time) (incident.State, incident.Action, incident.Reason) {
		return incident.Unacknowledge(s, by)
	})
}

// commitManual commits a decision that a person makes, with its record in the log.
// Its tick is the newest one that the incident's state knows.
func (d *Decider) commitManual(ctx context.Context, key, note string, change func(incident.State, time.Time) (incident.State, incident.Action, incident.Reason)) (after incident.State, err error) {
	states, err := d.Store.States(ctx, []string{key})
	if err != nil {
		return after, fmt.Errorf("read incident %s: %w", key, err)
	}
	err = d.retry(ctx, stateOf(states, key), func(s incident.State) error {
		now := d.Now()
		next, action, reason := change(s, now)
		after = next
		switch {
		case reason.Code == incident.NothingOpen:
			return fmt.Errorf("incident %s: %w, %s", key, ErrNothingOpen, standing(s))
		case action == incident.None:
			return nil
		}
		o := observation.Observation{IncidentKey: key, Source: s.Source, Tick: s.LastTick(), Verdict: observation.Unknown}
		d.logDecision(ctx, judgement{before: s, state: next, observation: o, action: action, reason: reason})
		next.DecisionSeq++
		// No policy: the decision does not depend on one, and the command that makes
		// it need not have the configuration.
		record := incident.Decision{
			IncidentKey: key, Seq: next.DecisionSeq, Episode: next.Episode, Sequence: next.Sequence, Action: action,
			Reason: reason.String(), Tick: o.Tick, Source: o.Source, Note: note, DecidedAt: now,
		}
		return d.Store.Commit(ctx, next, record, nil)
	})
	return after, err
}

func standing(s incident.State) string {
	switch {
	case s.Open:
		return "nobody has acknowledged it"
	case s.Episode > 0:
		return "it is resolved"
	default:
		return "it has never opened"
	}
}
