// Package smoke is the use case that proves a running stack: it plays an
// incident that nothing else is about through the whole pipeline to one
// destination, and says when each step was done or which one was not.
//
// The incident is written as a poll writes one, so that everything behind the
// poll is what any incident meets. It has a source of its own that every
// configuration knows; see config.SmokeID.
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

// Store is where a stack keeps what it has done.
type Store interface {
	PutObservation(ctx context.Context, o observation.Observation, expires time.Time) (created bool, err error)
	Decisions(ctx context.Context, key string) ([]incident.Decision, error)
	Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error)
	Beats(ctx context.Context) (map[string]observation.Beat, error)
	Forget(ctx context.Context, key string) (rows int, err error)
}

// Kind is the kind of a test's incident.
const Kind = "smoke"

const (
	// kept is how long a test's observations stay if it is cut off.
	kept = 24 * time.Hour
	// look is how often the tables are looked at.
	look = 200 * time.Millisecond
	// goodbye bounds how long an end that was asked for early takes.
	goodbye = 10 * time.Second
)

// Test is one test of one destination.
type Test struct {
	Store Store
	// Destination is one of the configuration's, and Recipients are what it
	// stands for: itself, or each recipient of a mail.
	Destination string
	Recipients  []string
	// Timeout is how long each step may take.
	Timeout time.Duration
	Now     func() time.Time
	Sleep   func(ctx context.Context, d time.Duration) error
	// Done is told of each step as it is seen.
	Done func(Step)

	key   string
	parts []observation.Part
	tick  time.Time
	// written tells that there is an incident to end.
	written bool
}

// Step is one step that an action has taken.
type Step struct {
	Action incident.Action
	// Name is written, decided, claimed, accepted or handled.
	Name string
	// Destination is whom it is about, where the step is a message's.
	Destination string
	// After is the time since the observation was begun to be written, by the
	// clocks of who did it.
	After time.Duration
	// Note says more: a reason, an answer.
	Note string
}

// Failure says which step did not come, and where to look.
type Failure struct {
	Action incident.Action
	Step   string
	// Saw is what was there instead, and Look what to do about it.
	Saw, Look string
}

func (f Failure) Error() string { return fmt.Sprintf("%s: %s. %s", f.Action, f.Saw, f.Look) }

// Result is what a test leaves.
type Result struct {
	// Key is its incident's; empty if none was written.
	Key string
	// Forgotten counts the rows that were removed. A test that failed removes
	// none: what is still under way needs them.
	Forgotten int
}

// Run plays the incident. The error is a Failure for a step that did not come,
// or tells that the tables could not be used.
func (t *Test) Run(ctx context.Context) (r Result, err error) {
	begun := t.Now()
	t.parts = []observation.Part{
		{Name: "destination", Value: t.Destination},
		// Its own, so that no delivery is taken for one of an earlier test.
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

// write states the incident's condition as of a tick of its own.
func (t *Test) write(ctx context.Context, about incident.Action, v observation.Verdict) (time.Time, error) {
	now := t.Now().UTC()
	t.tick = later(observation.Tick(now, 0), t.tick.Add(time.Second))
	o := observation.Observation{
		IncidentKey: t.key, Kind: Kind, Parts: t.parts, Source: config.SmokeID(t.Destination), Tick: t.tick,
		Verdict: v, Owner: config.SmokeOwner, Summary: "Smoke test of " + t.Destination + ": nothing is wrong", ObservedAt: now,
	}
	if _, err := t.Store.PutObservation(ctx, o, now.Add(kept)); err != nil {
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

// abandon has an incident end that may have begun: whenever the step comes that
// was waited for, the end follows it. Its rows stay for that.
func (t *Test) abandon(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	for range config.SmokePolicy().HealthyRequired {
		if _, err := t.write(ctx, incident.Resolve, observation.Healthy); err != nil {
			return fmt.Errorf("end the test's incident; it ends by itself ten minutes after it began: %w", err)
		}
	}
	return nil
}
