package explain

import (
	"context"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// PartStatus is when a part of the machine last did its work.
type PartStatus struct {
	Part string `json:"part"`
	// Tick is the scheduled time that the work was for, At when it was done. Both
	// are zero for a part that never did anything.
	Tick time.Time `json:"tick,omitzero"`
	At   time.Time `json:"at,omitzero"`
}

// How long a part may be silent: one tick may be lost or late.
const (
	lagLimit   = 90 * time.Second
	sweepLimit = 150 * time.Second
)

// readParts compares what one part has written with what the next one has read.
// Decide and deliver have nothing to do while nothing fails, so their age alone
// tells nothing.
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
	told, delivered, swept := beats[observation.BeatTold], beats[observation.BeatDeliver], beats[observation.BeatSweep]
	if told.At.After(delivered.At) && now.Sub(told.At) > lagLimit {
		problem("deliver has not seen the messages that decide wrote at %s: see its log and its stream mapping", stamp(told.At))
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

// undecided is the newest poll that wrote observations which nobody has folded,
// once that has taken too long.
func (rep *StatusReport) undecided(decided observation.Beat, now time.Time) (oldest time.Time) {
	for _, s := range rep.Sources {
		if s.lastWritten.After(decided.Tick) && now.Sub(s.lastWritten) > lagLimit && s.lastWritten.After(oldest) {
			oldest = s.lastWritten
		}
	}
	return oldest
}
