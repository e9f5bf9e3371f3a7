package observation

import "time"

// The parts of the system that write beats.
const (
	// BeatDecide records up to which tick decide has folded observations.
	BeatDecide = "decide"
	// BeatTold records when decide last wrote messages to the outbox.
	BeatTold = "told"
	// BeatDeliver records when the stream of new messages was last handled.
	BeatDeliver = "deliver"
	// BeatSweep records the last sweep.
	BeatSweep = "sweep"
	// BeatMailed records when SES last accepted a mail that it will report on, and
	// BeatReceipts when such a report was last handled.
	BeatMailed   = "mailed"
	BeatReceipts = "receipts"
	// BeatHeartbeat records the last check of the other parts.
	BeatHeartbeat = "heartbeat"
)

// Beat records when a part last did its work. Comparing the beats of consecutive parts
// reveals a part that has stopped, even while nothing fails.
type Beat struct {
	Part string
	// Tick is the scheduled time that the work was for.
	Tick time.Time
	// At is the wall-clock time of the work.
	At time.Time
	// Since is the tick since which the part has worked without a pause and with the
	// same configuration; Config is that configuration's hash. Only BeatHeartbeat has
	// them.
	Since  time.Time
	Config string
}

// After reports whether the beat is of a later tick, or later for the same one.
func (b Beat) After(other Beat) bool {
	if !b.Tick.Equal(other.Tick) {
		return b.Tick.After(other.Tick)
	}
	return b.At.After(other.At)
}
