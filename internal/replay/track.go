package replay

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

// track is what a replay stores of one key under one policy. It does not grow with
// the number of ticks.
type track struct {
	state incident.State
	truth truth
	// first and newest are the first and last tick of the key; truth was last applied
	// at newest. interval is the shortest time between two of its ticks.
	first, newest time.Time
	interval      time.Duration
	// healthySince is the first healthy tick since the last failing one.
	healthySince time.Time
	// notices counts the notices, to find the keys worth drawing.
	notices int
}

// take folds a row of either kind.
func (k *track) take(row *trace.Row, p incident.Policy, lateAfter time.Duration, t *Tally) (incident.Action, incident.Reason) {
	if row.Said == "" {
		return k.step(row, p, lateAfter, t)
	}
	d := row.Decision()
	told, open := k.state.LastNotified, k.state.Open
	k.state = k.state.Follow(d)
	if !open || d.Action != incident.SilenceEnded {
		return incident.None, incident.Reason{}
	}
	k.notices++
	t.Notices[ownerOf(k.state.Owner)]++
	t.Reminders++
	t.LongestSilence = max(t.LongestSilence, d.Tick.Sub(told))
	return d.Action, incident.ParseReason(d.Reason)
}

// step folds one row and counts the result.
func (k *track) step(row *trace.Row, p incident.Policy, lateAfter time.Duration, t *Tally) (incident.Action, incident.Reason) {
	o := row.Observation
	if o.Tick.After(k.newest) {
		k.truth.move(row.Truth, o.Tick, k.state.Open, t)
		k.moveTo(o.Tick)
	}
	told := k.state.LastNotified
	var a incident.Action
	var r incident.Reason
	k.state, a, r = incident.Decide(k.state, o, p)
	t.Reasons[r.Code]++
	k.followHealth(o, r)
	if a != incident.None {
		k.book(o, a, told, lateAfter, t)
	}
	return a, r
}

func (k *track) moveTo(tick time.Time) {
	if k.first.IsZero() {
		k.first = tick
	} else if step := tick.Sub(k.newest); k.interval == 0 || step < k.interval {
		k.interval = step
	}
	k.newest = tick
}

func (k *track) followHealth(o observation.Observation, r incident.Reason) {
	switch {
	case r.Code == incident.StaleObservation || o.Verdict == observation.Unknown:
	case o.Verdict == observation.Failing:
		k.healthySince = time.Time{}
	case k.healthySince.IsZero():
		k.healthySince = o.Tick
	}
}

func (k *track) book(o observation.Observation, a incident.Action, told time.Time, lateAfter time.Duration, t *Tally) {
	k.notices++
	t.Notices[ownerOf(k.state.Owner)]++
	switch a {
	case incident.Open:
		t.Opens++
		t.FailureToOpen.add(o.Tick.Sub(k.state.StreakStart))
		k.truth.opened(o.Tick, k.state.StreakStart, lateAfter, t)
		return
	case incident.Remind:
		t.Reminders++
	case incident.Resolve:
		t.Resolves++
		t.HealthToResolve.add(o.Tick.Sub(k.healthySince))
		k.truth.resolved(o.Tick, t)
	}
	t.LongestSilence = max(t.LongestSilence, o.Tick.Sub(told))
}

// end counts what is unfinished at the end of the trace.
func (k *track) end(t *Tally) {
	k.truth.end(t)
	if k.state.Open {
		t.StillOpen++
		t.LongestSilence = max(t.LongestSilence, k.newest.Sub(k.state.LastNotified))
	}
}

// ownerOf returns the owner that is notified; a trace need not name one.
func ownerOf(owner string) string {
	if owner == "" {
		return "unowned"
	}
	return owner
}
