package faults_test

import (
	"context"
	"errors"
	"time"

	"github.com/ringonce/ringonce/internal/heartbeat"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/setup/progress"
)

// watching is the heartbeat, and what it has said.
type watching struct {
	w *world
	// progress is decide's, for as long as its process lives.
	progress *progress.Progress
	// scheduled is the minute that is played.
	scheduled time.Time
	// doubts are what it found wrong in any minute, last what it did in the last one,
	// and lasting what it did when all had been calm for a while.
	doubts, last, lasting []string
	// lost tells that a beat could not be kept.
	lost bool
}

// Depth is the heartbeat.Queue's: no record is ever given up here.
func (h *watching) Depth(ctx context.Context) (int, error) {
	return around(ctx, h.w, "Depth", func() (int, error) { return 0, nil })
}

// PutBeat is the setup.Beats of all functions.
func (h *watching) PutBeat(ctx context.Context, b observation.Beat) error {
	err := h.w.store.PutBeat(ctx, b)
	// A dead process's work is done again, and its beat left then.
	h.lost = h.lost || (err != nil && !errors.Is(err, errLost) && !processOf(ctx).dead)
	return err
}

// beat leaves a beat, as the functions do after their work.
func (w *world) beat(ctx context.Context, part string) {
	if w.watching != nil {
		setup.LeaveBeat(ctx, w.watching, observation.Beat{Part: part, Tick: w.watching.scheduled, At: w.now}, w.log)
	}
}

// check is the heartbeat's look at all others.
func (w *world) check() {
	h := w.watching
	if h == nil {
		return
	}
	ctx := invoked(context.Background())
	c := &heartbeat.Checker{Config: w.cfg, Store: w.store, Queue: h, Now: w.clock}
	if r := c.Check(ctx, h.scheduled); !processOf(ctx).dead {
		h.last = r.Problems
		h.doubts = append(h.doubts, r.Problems...)
	}
}

// decide is an invocation of decide, which tells how far it has come.
func (w *world) decide(ctx context.Context, all []observation.Observation) bool {
	d := w.decider()
	h := w.watching
	if h == nil {
		return len(d.Decide(ctx, all)) == 0
	}
	if h.progress == nil {
		h.progress = progress.New(h, w.clock, w.log)
	}
	p := h.progress
	d.Store = progress.Telling{Store: d.Store, Progress: p}
	failed := d.Decide(p.Begin(ctx), all)
	p.Folded(ctx, all, failed)
	if processOf(ctx).dead {
		h.progress = nil
	}
	return len(failed) == 0
}

// again plays one more episode. It brings the beats that were lost before.
func (w *world) again() {
	w.watching.lasting = w.watching.last
	n := int(w.now.Sub(noon)/time.Minute) + 1
	for _, letter := range "FFHHHH" {
		w.tick(n, letter == 'F')
		n++
	}
}

// watched wants the heartbeat to be at ease where nothing went wrong and no index was
// late; when all had been calm for a while, unless a beat was lost, or the batch that
// it would have been left after; and after one more episode in any case.
func (v *verdict) watched() {
	h := v.w.watching
	if h == nil {
		return
	}
	if len(v.w.wrong) == 0 && v.w.lag == nil && len(h.doubts) > 0 {
		v.complain("the heartbeat doubted what works: %q", h.doubts)
	}
	if len(h.lasting) > 0 && !h.lost && !v.w.went(record, receipt) {
		v.complain("the heartbeat went on to doubt what works: %q", h.lasting)
	}
	if len(h.last) > 0 {
		v.complain("the heartbeat still says %q", h.last)
	}
}
