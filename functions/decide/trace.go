package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/setup"
)

// trace tells the heartbeat how far deciding has come: at most one row a tick
// for what was folded, and one a batch that has something to tell.
type trace struct {
	beats setup.Beats
	now   func() time.Time
	log   *slog.Logger

	mu sync.Mutex
	// last is the newest tick that was left, and told the batch.
	last, told time.Time
}

type begun struct{}

// begin notes when a batch began: messages that it writes are newer.
func (t *trace) begin(ctx context.Context) context.Context {
	if t == nil {
		return ctx
	}
	return context.WithValue(ctx, begun{}, t.now())
}

// folded leaves a beat of the newest tick among the observations whose key did
// not fail.
func (t *trace) folded(ctx context.Context, all []observation.Observation, failed map[string]error) {
	if t == nil {
		return
	}
	var newest time.Time
	for _, o := range all {
		if failed[o.IncidentKey] == nil && o.Tick.After(newest) {
			newest = o.Tick
		}
	}
	if t.first(&t.last, newest) {
		setup.LeaveBeat(ctx, t.beats, observation.Beat{Part: observation.BeatDecide, Tick: newest, At: t.now()}, t.log)
	}
}

// first reports whether a time is later than the last one, and keeps it.
func (t *trace) first(last *time.Time, at time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !at.After(*last) {
		return false
	}
	*last = at
	return true
}

// telling is a store that leaves a beat when messages are written.
type telling struct {
	decide.Store
	trace *trace
}

// Commit commits. The beat carries the time at which the batch began, for
// deliver may have handled the message before the batch is over.
func (s telling) Commit(ctx context.Context, state incident.State, d incident.Decision, out []delivery.Delivery) error {
	if err := s.Store.Commit(ctx, state, d, out); err != nil || len(out) == 0 {
		return err
	}
	if at, ok := ctx.Value(begun{}).(time.Time); ok && s.trace.first(&s.trace.told, at) {
		setup.LeaveBeat(ctx, s.trace.beats, observation.Beat{Part: observation.BeatTold, Tick: d.Tick, At: at}, s.trace.log)
	}
	return nil
}
