package explain

import (
	"context"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// PartStatus says when a function last did its work.
type PartStatus struct {
	Part string `json:"part"`
	// Tick is the tick that the work was for, At when it was done. Both are zero for a
	// function that never did any.
	Tick time.Time `json:"tick,omitzero"`
	At   time.Time `json:"at,omitzero"`
}

// How long a function may be behind, or sweep may not run: one tick may be lost or
// late.
const (
	lagLimit   = 90 * time.Second
	sweepLimit = 150 * time.Second
)

// readParts reads the status of the functions and adds their problems. It compares what
// one function wrote with what the next one read: decide and deliver have nothing to do
// while nothing fails, so the age of their last work alone says nothing.
func (rep *StatusReport) readParts(ctx context.Context, s RunStore, now time.Time) error {
	beats, err := s.Beats(ctx)
	if err != nil {
		return err
	}
	for _, part := range []string{observation.BeatDecide, observation.BeatDeliver, observation.BeatSweep} {
		b := beats[part]
		rep.Parts = append(rep.Parts, PartStatus{Part: part, Tick: b.Tick, At: b.At})
	}
	problem := func(format string, args ...any) { rep.Problems = append(rep.Problems, fmt.Sprintf(format, args...)) }
	committed, delivered, swept := beats[observation.BeatTold], beats[observation.BeatDeliver], beats[observation.BeatSweep]
	if committed.At.After(delivered.At) && now.Sub(committed.At) > lagLimit {
		problem("deliver has not seen the messages that decide wrote at %s: see its log and its stream mapping", stamp(committed.At))
	}
	if late := rep.undecided(beats[observation.BeatDecide], now); !late.IsZero() {
		problem("decide has not folded the observations of %s: see its log and its stream mapping", stamp(late))
	}
	if len(rep.Sources) > 0 && now.Sub(swept.At) > sweepLimit {
		since := "never ran"
		if !swept.At.IsZero() {
			since = "last ran at " + stamp(swept.At)
		}
		problem("sweep %s: see its log and its schedule", since)
	}
	return nil
}

// undecided returns the newest tick, older than lagLimit, whose observations decide has
// not folded; zero if there is none.
func (rep *StatusReport) undecided(decided observation.Beat, now time.Time) (newest time.Time) {
	for _, s := range rep.Sources {
		if s.lastWritten.After(decided.Tick) && now.Sub(s.lastWritten) > lagLimit && s.lastWritten.After(newest) {
			newest = s.lastWritten
		}
	}
	return newest
}
