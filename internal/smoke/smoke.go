// Package smoke is the use case that tests a running stack. It sends a test incident
// through the whole pipeline to one destination, and reports when each step was done or
// which one failed.
//
// It writes the incident's observations as a poll does, so that everything after the poll
// is exercised. The incident has a source of its own that every configuration knows; see
// config.SmokeID.
package smoke

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Store reads and writes the tables of a stack.
type Store interface {
	PutObservation(ctx context.Context, o observation.Observation, expires time.Time) (created bool, err error)
	Decisions(ctx context.Context, key string) ([]incident.Decision, error)
	Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error)
	Beats(ctx context.Context) (map[string]observation.Beat, error)
	Forget(ctx context.Context, key string) (rows int, err error)
}

// Kind is the incident kind of a test.
const Kind = "smoke"

const (
	// retention is how long a test's observations stay if it is interrupted.
	retention = 24 * time.Hour
	// pollInterval is how often the tables are read while waiting for a step.
	pollInterval = 200 * time.Millisecond
	// abandonTimeout bounds how long an interrupted test takes to end its incident.
	abandonTimeout = 10 * time.Second
)

// Test is one test of one destination.
type Test struct {
	Store Store
	// Destination is a configured destination. Recipients are the destinations that it
	// expands to: itself, or one per recipient of a mail.
	Destination string
	Recipients  []string
	// Timeout is how long each step may take.
	Timeout time.Duration
	Now     func() time.Time
	Sleep   func(ctx context.Context, d time.Duration) error
	// Done, if set, is called with each step as it is observed.
	Done func(Step)

	key   string
	parts []observation.Part
	tick  time.Time
	// written reports that there is an incident to end.
	written bool
}

// Step is one completed step of an action.
type Step struct {
	Action incident.Action
	// Name is written, decided, claimed, accepted or handled.
	Name string
	// Destination is the message's destination; empty if the step is not a message's.
	Destination string
	// After is the time from the start of writing the observation to the step, by the
	// clock of the function that took it.
	After time.Duration
	// Note gives details: a reason, an answer.
	Note string
}

// Failure reports a step that did not happen in time.
type Failure struct {
	Action incident.Action
	Step   string
	// Saw says what happened up to then, and Look what to check.
	Saw, Look string
}

func (f Failure) Error() string { return fmt.Sprintf("%s: %s. %s", f.Action, f.Saw, f.Look) }

// Result is the result of a test.
type Result struct {
	// Key is the incident's key; empty if nothing was written.
	Key string
	// Forgotten counts the removed rows. A failed test removes none: steps that are
	// still under way need them.
	Forgotten int
}

// Run runs the test. The error is a Failure for a step that did not happen in time, or
// reports that the tables could not be used.
func (t *Test) Run(ctx context.Context) (r Result, err error) {
	begun := t.Now()
	t.parts = []observation.Part{
		{Name: "destination", Value: t.Destination},
		// Unique, so that deliveries of an earlier test are not counted.
		{Name: "run", Value: begun.UTC().Format("20060102T150405.000Z")},
	}
	if t.key, err = incident.Key(Kind, t.parts); err != nil {
		return r, err
	}
	r.Key = t.key
	if err = t.play(ctx); err != nil {
		if !t.written {
			return Result{}, err
		}
		return r, errors.Join(err, t.abandon(ctx))
	}
	r.Forgotten, err = t.Store.Forget(ctx, t.key)
	return r, err
}

func (t *Test) play(ctx context.Context) error {
	written, err := t.write(ctx, incident.Open, observation.Failing)
	if err != nil {
		return err
	}
	decided, err := t.told(ctx, incident.Open, written)
	if err != nil {
		return err
	}
	if err := t.handled(ctx, decided, written); err != nil {
		return err
	}
	for range config.SmokePolicy().HealthyRequired {
		if written, err = t.write(ctx, incident.Resolve, observation.Healthy); err != nil {
			return err
		}
	}
	_, err = t.told(ctx, incident.Resolve, written)
	return err
}

// write writes an observation of the incident with a new tick.
func (t *Test) write(ctx context.Context, about incident.Action, v observation.Verdict) (time.Time, error) {
	now := t.Now().UTC()
	t.tick = later(observation.Tick(now, 0), t.tick.Add(time.Second))
	o := observation.Observation{
		IncidentKey: t.key, Kind: Kind, Parts: t.parts, Source: config.SmokeID(t.Destination), Tick: t.tick,
		Verdict: v, Owner: config.SmokeOwner, Summary: "Smoke test of " + t.Destination + ": nothing is wrong", ObservedAt: now,
	}
	if _, err := t.Store.PutObservation(ctx, o, now.Add(retention)); err != nil {
		return now, err
	}
	t.written = true
	t.done(Step{about, "written", "", t.Now().Sub(now), string(v)})
	return now, nil
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (t *Test) done(s Step) {
	if t.Done != nil {
		t.Done(s)
	}
}

// abandon makes the incident resolve if it opens after all. Its rows stay, since the
// steps that are still under way need them.
func (t *Test) abandon(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTimeout)
	defer cancel()
	for range config.SmokePolicy().HealthyRequired {
		if _, err := t.write(ctx, incident.Resolve, observation.Healthy); err != nil {
			return fmt.Errorf("end the test's incident; it ends by itself ten minutes after it began: %w", err)
		}
	}
	return nil
}
