package decide

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// ErrNothingOpen reports an incident that is not open, or not acknowledged, so
// that there is nothing to say about it.
var ErrNothingOpen = errors.New("nothing to do")

// Acknowledge notes that a person has taken an open incident on: it reminds
// nobody until it is over. It returns the state as it then is.
func (d *Decider) Acknowledge(ctx context.Context, key, by, note string) (incident.State, error) {
	return d.spoken(ctx, key, note, func(s incident.State, now time.Time) (incident.State, incident.Action, incident.Reason) {
		return incident.Acknowledge(s, incident.Acknowledgement{By: by, Note: note, At: now})
	})
}

// Unacknowledge takes it back.
func (d *Decider) Unacknowledge(ctx context.Context, key, by string) (incident.State, error) {
	return d.spoken(ctx, key, "", func(s incident.State, _ time.Time) (incident.State, incident.Action, incident.Reason) {
		return incident.Unacknowledge(s, by)
	})
}

// spoken commits what a person says of an incident, with its record in the log.
// It stands behind the newest tick that the incident knows of.
func (d *Decider) spoken(ctx context.Context, key, note string, say func(incident.State, time.Time) (incident.State, incident.Action, incident.Reason)) (after incident.State, err error) {
	states, err := d.Store.States(ctx, []string{key})
	if err != nil {
		return after, fmt.Errorf("read incident %s: %w", key, err)
	}
	err = d.settle(ctx, stateOf(states, key), func(s incident.State) error {
		now := d.Now()
		next, action, reason := say(s, now)
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
		// No policy: a person needs none, and whoever speaks need not have it.
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
