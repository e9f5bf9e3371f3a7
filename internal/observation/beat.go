package observation

import "time"

// The parts of the machine that leave beats.
const (
	// BeatDecide is decide's: up to which tick it has folded observations.
	BeatDecide = "decide"
	// BeatTold is left by decide too: when it last wrote messages to deliver.
	BeatTold = "told"
	// BeatDeliver is left when the stream of new messages is handled.
	BeatDeliver = "deliver"
	// BeatSweep is left by every sweep.
	BeatSweep = "sweep"
	// BeatMailed is left when SES has taken a mail that it will report on, and
	// BeatReceipts when such a report is handled.
	BeatMailed   = "mailed"
	BeatReceipts = "receipts"
	// BeatHeartbeat is left by every check of the others.
	BeatHeartbeat = "heartbeat"
)

// Beat says when a part last did its work. Comparing what one part wrote with
// what the next has read shows a part that stopped, also while nothing fails.
type Beat struct {
	Part string
	// Tick is the scheduled time that the work was for.
	Tick time.Time
	// At is the wall clock's time of the work.
	At time.Time
	// Since is the tick from which on the part has worked without a pause and by
	// the same configuration, and Config is that one's hash. Only BeatHeartbeat
	// has them.
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
