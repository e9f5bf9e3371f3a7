// Package progress reports to the heartbeat how far deciding has come.
package progress

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

// Progress leaves beats: at most one row a tick for folded observations, and one a
// batch that writes messages. A nil Progress leaves none.
type Progress struct {
	beats setup.Beats
	now   func() time.Time
	log   *slog.Logger

	mu sync.Mutex
	// last is the newest tick with a beat, and told the newest batch with one.
	last, told time.Time
}

// New returns a Progress that has left no beat yet. now is the wall clock.
func New(beats setup.Beats, now func() time.Time, log *slog.Logger) *Progress {
	return &Progress{beats: beats, now: now, log: log}
}

type begun struct{}

// Begin records when a batch begins: messages that it writes are newer.
func (p *Progress) Begin(ctx context.Context) context.Context {
	if p == nil {
		return ctx
	}
	return context.WithValue(ctx, begun{}, p.now())
}

// Folded leaves a beat for the newest tick among the observations whose key did not
// fail.
func (p *Progress) Folded(ctx context.Context, all []observation.Observation, failed map[string]error) {
	if p == nil {
		return
	}
	var newest time.Time
	for _, o := range all {
		if failed[o.IncidentKey] == nil && o.Tick.After(newest) {
			newest = o.Tick
		}
	}
	if p.first(&p.last, newest) {
		setup.LeaveBeat(ctx, p.beats, observation.Beat{Part: observation.BeatDecide, Tick: newest, At: p.now()}, p.log)
	}
}

// first reports whether a time is later than the last one, and stores it.
func (p *Progress) first(last *time.Time, at time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !at.After(*last) {
		return false
	}
	*last = at
	return true
}

// Telling is a store that leaves a beat when messages are written.
type Telling struct {
	decide.Store
	Progress *Progress
}

// Commit commits. The beat holds the time at which the batch began, since deliver may
// handle the message before the batch is over.
func (s Telling) Commit(ctx context.Context, state incident.State, d incident.Decision, out []delivery.Delivery) error {
	if err := s.Store.Commit(ctx, state, d, out); err != nil || len(out) == 0 {
		return err
	}
	p := s.Progress
	if at, ok := ctx.Value(begun{}).(time.Time); ok && p.first(&p.told, at) {
		setup.LeaveBeat(ctx, p.beats, observation.Beat{Part: observation.BeatTold, Tick: d.Tick, At: at}, p.log)
	}
	return nil
}
