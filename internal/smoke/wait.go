package smoke

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// until calls seen until it returns true or the step's timeout is over.
func (t *Test) until(ctx context.Context, seen func() (bool, error)) (bool, error) {
	end := t.Now().Add(t.Timeout)
	for {
		ok, err := seen()
		if ok || err != nil {
			return ok, err
		}
		if !t.Now().Before(end) {
			return false, nil
		}
		if err := t.Sleep(ctx, pollInterval); err != nil {
			return false, err
		}
	}
}

// told waits for an action's decision and then for each of its messages, and returns the
// time of the decision.
func (t *Test) told(ctx context.Context, a incident.Action, written time.Time) (time.Time, error) {
	var made incident.Decision
	ok, err := t.until(ctx, func() (bool, error) {
		all, err := t.Store.Decisions(ctx, t.key)
		i := slices.IndexFunc(all, func(d incident.Decision) bool { return d.Action == a })
		if i >= 0 {
			made = all[i]
		}
		return i >= 0, err
	})
	if err != nil {
		return made.DecidedAt, err
	}
	if !ok {
		return made.DecidedAt, Failure{
			a, "decided", fmt.Sprintf("written, and not decided within %s", t.Timeout),
			"See decide's log, its errors and its stream mapping, and whether the deployed configuration has the destination " + t.Destination,
		}
	}
	t.done(Step{a, "decided", "", made.DecidedAt.Sub(written), made.Reason})
	for _, id := range t.Recipients {
		if err := t.delivered(ctx, made, id, written); err != nil {
			return made.DecidedAt, err
		}
	}
	return made.DecidedAt, nil
}

// delivered waits for one message.
func (t *Test) delivered(ctx context.Context, made incident.Decision, destination string, written time.Time) error {
	var d delivery.Delivery
	read := func() (found bool, err error) {
		all, err := t.Store.Episode(ctx, t.key, made.Episode)
		i := slices.IndexFunc(all, func(d delivery.Delivery) bool {
			return d.Action == made.Action && d.Destination == destination && d.For == ""
		})
		if i >= 0 {
			d = all[i]
		}
		return i >= 0, err
	}
	found, err := read()
	if err != nil {
		return err
	}
	if !found {
		return Failure{
			made.Action, "decided", "decided, and " + destination + " is not told of it",
			"See whether the deployed configuration has the destination, and whether it is silenced: the decision says " + made.Reason,
		}
	}
	claimed := false
	_, err = t.until(ctx, func() (bool, error) {
		_, err := read()
		if !claimed && len(d.Attempts) > 0 {
			claimed = true
			t.done(Step{made.Action, "claimed", destination, d.Attempts[0].Started.Sub(written), ""})
		}
		return d.State.Final(), err
	})
	if err != nil {
		return err
	}
	if d.State == delivery.Delivered || d.State == delivery.Superseded && d.In != "" {
		t.done(Step{made.Action, "accepted", destination, acceptedAt(d).Sub(written), answer(d)})
		return nil
	}
	return undelivered(d, claimed, t.Timeout)
}

func acceptedAt(d delivery.Delivery) time.Time {
	if n := len(d.Attempts); n > 0 {
		return d.Attempts[n-1].Ended
	}
	return d.CreatedAt
}

func answer(d delivery.Delivery) string {
	if d.In != "" {
		return "told in " + d.In
	}
	if len(d.Attempts) == 0 {
		return ""
	}
	last := d.Attempts[len(d.Attempts)-1]
	text := fmt.Sprintf("attempt %d: %s", d.Tries(), last.Class)
	if last.Status > 0 {
		text += fmt.Sprintf(" %d", last.Status)
	}
	if last.Code != "" {
		text += " " + last.Code
	}
	return text
}

// undelivered returns the failure of a message that was not accepted.
func undelivered(d delivery.Delivery, claimed bool, timeout time.Duration) Failure {
	f := Failure{Action: d.Action, Step: "accepted"}
	switch {
	case d.State == delivery.Silenced:
		f.Step = "claimed"
		f.Saw = fmt.Sprintf("decided, and the message for %s was %s", d.Destination, d.Note)
		f.Look = "Test again when that silence is over, or end it: ringonce silence list, ringonce silence end ID"
	case !claimed:
		f.Step = "claimed"
		f.Saw = fmt.Sprintf("decided, and nobody took the message for %s up within %s", d.Destination, timeout)
		f.Look = "See deliver's log, its errors and its stream mapping; and sweep's, which takes up what deliver misses"
	case d.State == delivery.Sending:
		f.Saw = fmt.Sprintf("%s has had no answer for the message within %s", d.Destination, timeout)
		f.Look = "See deliver's log and timeout; sweep takes the message up when its worker's lease is over"
	case d.State.Final():
		f.Saw = fmt.Sprintf("the message for %s is %s after %s", d.Destination, d.State, answer(d))
		f.Look = "See its note: " + d.Note
	default:
		f.Saw = fmt.Sprintf("%s has not accepted the message within %s: %s", d.Destination, timeout, answer(d))
		f.Look = "See the destination's secret and address, and the delivery lines in deliver's log; it is tried again at " + d.DueAt.UTC().Format(time.RFC3339)
	}
	return f
}

// handled waits for deliver's beat since the decision. The message alone does not prove
// that deliver has handled its stream, because sweep sends what deliver misses.
func (t *Test) handled(ctx context.Context, decided, written time.Time) error {
	var beat observation.Beat
	ok, err := t.until(ctx, func() (bool, error) {
		all, err := t.Store.Beats(ctx)
		beat = all[observation.BeatDeliver]
		return !beat.At.Before(decided), err
	})
	if err != nil {
		return err
	}
	if !ok {
		return Failure{
			incident.Open, "handled", "the message was accepted, but from sweep: deliver has not handled its stream since",
			"See deliver's log, its errors and its stream mapping",
		}
	}
	t.done(Step{incident.Open, "handled", "", beat.At.Sub(written), "by deliver"})
	return nil
}
