// Package storetest is the contract of a store: one suite that every engine passes,
// so that a result on one holds for the others.
package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/silence"
)

// Store is everything that Ringonce requires of an engine. The use cases declare the
// few methods that each needs.
type Store interface {
	ClaimRun(ctx context.Context, run observation.Run, now time.Time) error
	FinishRun(ctx context.Context, run observation.Run) error
	ReleaseRun(ctx context.Context, run observation.Run) error
	Runs(ctx context.Context, source string, limit int) ([]observation.Run, error)
	RunsBetween(ctx context.Context, source string, from, to time.Time, yield func(observation.Run) error) error

	PutObservation(ctx context.Context, o observation.Observation, expires time.Time) (created bool, err error)
	Observations(ctx context.Context, key string, from, to time.Time, yield func(observation.Observation) error) error
	NewestObservation(ctx context.Context, key string) (o observation.Observation, found bool, err error)
	ObservationsSince(ctx context.Context, from time.Time, yield func(observation.Observation, error) error) error

	ActiveKeys(ctx context.Context) ([]incident.Active, error)
	States(ctx context.Context, keys []string) (map[string]incident.State, error)
	Save(ctx context.Context, s incident.State) error
	Commit(ctx context.Context, s incident.State, d incident.Decision, out []delivery.Delivery) error
	Decisions(ctx context.Context, key string) ([]incident.Decision, error)
	Keep(ctx context.Context, key string, episode int) error
	Incidents(ctx context.Context, yield func(incident.State) error) error
	Forget(ctx context.Context, key string) (rows int, err error)

	Claim(ctx context.Context, ref delivery.Ref, worker string, now, leaseUntil time.Time) (delivery.Delivery, error)
	Settle(ctx context.Context, d delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error
	Gather(ctx context.Context, into delivery.Delivery, members []delivery.Delivery) error
	Postpone(ctx context.Context, ref delivery.Ref, until time.Time) error
	Supersede(ctx context.Context, ref delivery.Ref, note string, more ...delivery.Delivery) error
	Resend(ctx context.Context, ref delivery.Ref, now time.Time) error
	CloseStopped(ctx context.Context, ref delivery.Ref, note string) error
	Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error)
	Episodes(ctx context.Context, key string, first, last int, yield func(delivery.Delivery) error) error
	Delivery(ctx context.Context, ref delivery.Ref) (delivery.Delivery, error)
	Deliveries(ctx context.Context, yield func(delivery.Delivery) error) error
	Due(ctx context.Context, now time.Time, limit int) ([]delivery.Due, error)
	Locate(ctx context.Context, deliveryID string) (delivery.Ref, error)
	Receive(ctx context.Context, before, after delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error

	Gate(ctx context.Context, destination string) (delivery.Gate, error)
	CloseGate(ctx context.Context, destination string, until time.Time) error
	TakeTurn(ctx context.Context, destination string, now, next time.Time) (g delivery.Gate, taken bool, err error)
	Refuse(ctx context.Context, destination, code string, seen, now, until time.Time) (g delivery.Gate, done bool, err error)
	Usage(ctx context.Context, from, to time.Time) ([]delivery.Usage, error)
	PutBeat(ctx context.Context, b observation.Beat) error
	Beats(ctx context.Context) (map[string]observation.Beat, error)
	PutSilence(ctx context.Context, s silence.Silence) error
	EndSilence(ctx context.Context, id, by string, at time.Time) error
	Silences(ctx context.Context) (silence.Set, error)
	PutPolicy(ctx context.Context, hash string, content []byte) error
	Policy(ctx context.Context, hash string) ([]byte, error)
}

// Run runs the whole suite. newStore returns an empty store for each test.
func Run(t *testing.T, newStore func(t *testing.T) Store) {
	t.Helper()
	for _, group := range [][]check{
		runChecks, observationChecks, stateChecks, commitChecks, claimChecks,
		settleChecks, receiptChecks, gatherChecks, stoppedChecks, waitingChecks, dueChecks, gateChecks, operationChecks, beatChecks, silenceChecks, forgetChecks, limitChecks, roundTripChecks, modelChecks,
	} {
		for _, c := range group {
			t.Run(c.name, func(t *testing.T) { c.run(t, newStore(t)) })
		}
	}
}

// check is one test of the suite.
type check struct {
	name string
	run  func(t *testing.T, s Store)
}

var ctx = context.Background()

// at is a time on the day of all tests, by hour, minute, second and millisecond;
// missing ones are zero.
func at(clock ...int) time.Time {
	var c [4]int
	copy(c[:], clock)
	return time.Date(2026, 3, 14, c[0], c[1], c[2], c[3]*int(time.Millisecond), time.UTC)
}
