package faults_test

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/heartbeat"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/poll"
	"github.com/ringonce/ringonce/internal/receipts"
	"github.com/ringonce/ringonce/internal/silence"
)

// store is all that the use cases need of one, and what judging needs.
type store interface {
	poll.Store
	decide.Store
	decide.Evidence
	decide.Keeper
	deliver.Ledger
	receipts.Ledger
	heartbeat.Store
	Deliveries(ctx context.Context, yield func(delivery.Delivery) error) error
	Decisions(ctx context.Context, key string) ([]incident.Decision, error)
}

// faulty is a store in which every operation has a place before and after it.
// It notes what the streams of the tables would carry.
type faulty struct {
	store
	w *world
}

// around runs an operation between its two places. An error after it stands for
// an answer that was lost: the operation has happened.
func around[T any](ctx context.Context, w *world, what string, body func() (T, error)) (T, error) {
	var none T
	if processOf(ctx).dead {
		return none, errKilled
	}
	if err := errOf(w.at(ctx, before, what)); err != nil {
		return none, err
	}
	v, err := body()
	if lost := errOf(w.at(ctx, after, what)); lost != nil {
		return none, lost
	}
	return v, err
}

func do(ctx context.Context, w *world, what string, body func() error) error {
	_, err := around(ctx, w, what, func() (struct{}, error) { return struct{}{}, body() })
	return err
}

func (s faulty) ClaimRun(ctx context.Context, run observation.Run, now time.Time) error {
	return do(ctx, s.w, "ClaimRun", func() error { return s.store.ClaimRun(ctx, run, now) })
}

func (s faulty) FinishRun(ctx context.Context, run observation.Run) error {
	return do(ctx, s.w, "FinishRun", func() error { return s.store.FinishRun(ctx, run) })
}

func (s faulty) ReleaseRun(ctx context.Context, run observation.Run) error {
	return do(ctx, s.w, "ReleaseRun", func() error { return s.store.ReleaseRun(ctx, run) })
}

func (s faulty) ActiveKeys(ctx context.Context) ([]incident.Active, error) {
	return around(ctx, s.w, "ActiveKeys", func() ([]incident.Active, error) { return s.store.ActiveKeys(ctx) })
}

func (s faulty) PutObservation(ctx context.Context, o observation.Observation, expires time.Time) (bool, error) {
	return around(ctx, s.w, "PutObservation", func() (bool, error) {
		created, err := s.store.PutObservation(ctx, o, expires)
		if created {
			s.w.observations = append(s.w.observations, o)
		}
		return created, err
	})
}

func (s faulty) States(ctx context.Context, keys []string) (map[string]incident.State, error) {
	return around(ctx, s.w, "States", func() (map[string]incident.State, error) { return s.store.States(ctx, keys) })
}

func (s faulty) PutPolicy(ctx context.Context, hash string, content []byte) error {
	return do(ctx, s.w, "PutPolicy", func() error { return s.store.PutPolicy(ctx, hash, content) })
}

func (s faulty) Runs(ctx context.Context, source string, limit int) ([]observation.Run, error) {
	return around(ctx, s.w, "Runs", func() ([]observation.Run, error) { return s.store.Runs(ctx, source, limit) })
}

func (s faulty) RunsBetween(ctx context.Context, source string, from, to time.Time, yield func(observation.Run) error) error {
	return do(ctx, s.w, "RunsBetween", func() error { return s.store.RunsBetween(ctx, source, from, to, yield) })
}

func (s faulty) NewestObservation(ctx context.Context, key string) (o observation.Observation, found bool, err error) {
	o, err = around(ctx, s.w, "NewestObservation", func() (observation.Observation, error) {
		var inner error
		o, found, inner = s.store.NewestObservation(ctx, key)
		return o, inner
	})
	return o, found && err == nil, err
}

func (s faulty) Keep(ctx context.Context, key string, episode int) error {
	return do(ctx, s.w, "Keep", func() error { return s.store.Keep(ctx, key, episode) })
}

func (s faulty) Locate(ctx context.Context, id string) (delivery.Ref, error) {
	return around(ctx, s.w, "Locate", func() (delivery.Ref, error) { return s.store.Locate(ctx, id) })
}

func (s faulty) Receive(ctx context.Context, before, after delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error {
	return do(ctx, s.w, "Receive "+after.Ref().Slot, func() error {
		err := s.store.Receive(ctx, before, after, u, more...)
		if err == nil {
			s.w.inserted(more)
		}
		return err
	})
}

func (s faulty) Silences(ctx context.Context) (silence.Set, error) {
	return around(ctx, s.w, "Silences", func() (silence.Set, error) { return s.store.Silences(ctx) })
}

func (s faulty) Save(ctx context.Context, st incident.State) error {
	return do(ctx, s.w, "Save", func() error { return s.store.Save(ctx, st) })
}

func (s faulty) Commit(ctx context.Context, st incident.State, d incident.Decision, out []delivery.Delivery) error {
	return do(ctx, s.w, "Commit", func() error {
		err := s.store.Commit(ctx, st, d, out)
		if err == nil {
			s.w.inserted(out)
		}
		return err
	})
}

func (s faulty) Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error) {
	return around(ctx, s.w, "Episode", func() ([]delivery.Delivery, error) { return s.store.Episode(ctx, key, episode) })
}

func (s faulty) Claim(ctx context.Context, ref delivery.Ref, worker string, now, until time.Time) (delivery.Delivery, error) {
	return around(ctx, s.w, "Claim "+ref.Slot, func() (delivery.Delivery, error) { return s.store.Claim(ctx, ref, worker, now, until) })
}

func (s faulty) Delivery(ctx context.Context, ref delivery.Ref) (delivery.Delivery, error) {
	return around(ctx, s.w, "Delivery", func() (delivery.Delivery, error) { return s.store.Delivery(ctx, ref) })
}

func (s faulty) Settle(ctx context.Context, d delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error {
	return do(ctx, s.w, "Settle "+d.Ref().Slot, func() error {
		err := s.store.Settle(ctx, d, u, more...)
		if err == nil {
			s.w.inserted(more)
		}
		return err
	})
}

func (s faulty) Gather(ctx context.Context, into delivery.Delivery, members []delivery.Delivery) error {
	return do(ctx, s.w, "Gather "+into.Ref().Slot, func() error {
		err := s.store.Gather(ctx, into, members)
		if err == nil && into.Action == delivery.Digest {
			s.w.inserted([]delivery.Delivery{into})
		}
		return err
	})
}

func (s faulty) Postpone(ctx context.Context, ref delivery.Ref, until time.Time) error {
	return do(ctx, s.w, "Postpone "+ref.Slot, func() error { return s.store.Postpone(ctx, ref, until) })
}

func (s faulty) Supersede(ctx context.Context, ref delivery.Ref, note string, more ...delivery.Delivery) error {
	return do(ctx, s.w, "Supersede "+ref.Slot, func() error {
		err := s.store.Supersede(ctx, ref, note, more...)
		if err == nil {
			s.w.inserted(more)
		}
		return err
	})
}

func (s faulty) Due(ctx context.Context, now time.Time, limit int) ([]delivery.Due, error) {
	return around(ctx, s.w, "Due", func() ([]delivery.Due, error) { return s.store.Due(ctx, now, limit) })
}

func (s faulty) Gate(ctx context.Context, destination string) (delivery.Gate, error) {
	return around(ctx, s.w, "Gate "+destination, func() (delivery.Gate, error) { return s.store.Gate(ctx, destination) })
}

func (s faulty) TakeTurn(ctx context.Context, destination string, now, next time.Time) (g delivery.Gate, taken bool, err error) {
	g, err = around(ctx, s.w, "TakeTurn "+destination, func() (delivery.Gate, error) {
		var inner error
		g, taken, inner = s.store.TakeTurn(ctx, destination, now, next)
		return g, inner
	})
	return g, taken && err == nil, err
}

func (s faulty) Refuse(ctx context.Context, destination, code string, seen, now, until time.Time) (g delivery.Gate, done bool, err error) {
	g, err = around(ctx, s.w, "Refuse "+destination, func() (delivery.Gate, error) {
		var inner error
		g, done, inner = s.store.Refuse(ctx, destination, code, seen, now, until)
		return g, inner
	})
	return g, done && err == nil, err
}

func (s faulty) CloseGate(ctx context.Context, destination string, until time.Time) error {
	return do(ctx, s.w, "CloseGate "+destination, func() error { return s.store.CloseGate(ctx, destination, until) })
}

func (s faulty) Beats(ctx context.Context) (map[string]observation.Beat, error) {
	return around(ctx, s.w, "Beats", func() (map[string]observation.Beat, error) { return s.store.Beats(ctx) })
}

func (s faulty) PutBeat(ctx context.Context, b observation.Beat) error {
	return do(ctx, s.w, "PutBeat "+b.Part, func() error { return s.store.PutBeat(ctx, b) })
}

func (s faulty) Usage(ctx context.Context, from, to time.Time) ([]delivery.Usage, error) {
	return around(ctx, s.w, "Usage", func() ([]delivery.Usage, error) { return s.store.Usage(ctx, from, to) })
}
