package heartbeat

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// checkDeliver compares when messages were last written with when the stream was last
// handled. The ledger alone does not show a stopped deliver, because sweep sends what
// deliver misses, a minute late.
func (c *Checker) checkDeliver(ctx context.Context, r *Report, scheduled time.Time, beats map[string]observation.Beat) (err error) {
	r.DeliverLag, err = c.awaited(ctx, scheduled, beats, observation.BeatDeliver, beats[observation.BeatTold])
	if r.DeliverLag > behind {
		r.late("deliver has not seen messages that were written %s ago: see its log, its stream mapping and its errors", r.DeliverLag)
	}
	return err
}

// checkReceipts compares when mails were last sent with when an SES event about one was
// last handled: SES reports every accepted mail within seconds.
func (c *Checker) checkReceipts(ctx context.Context, r *Report, scheduled time.Time, beats map[string]observation.Beat) error {
	mailed := beats[observation.BeatMailed]
	// Measure from the first check that sees it: the mail's decision may be old.
	mailed.Tick = scheduled
	lag, err := c.awaited(ctx, scheduled, beats, observation.BeatReceipts, mailed)
	if lag > unswept {
		r.late("nothing has come of a mail that was sent %s ago, not even that SES has it: see receipts' log, its rule and SES's event destination; "+
			"then send one with `ringonce smoke`, which ends this", lag)
	}
	return err
}

// awaited returns for how long a part has not handled the work of the part before it, or
// zero if it is not behind. It stores a mark of the oldest unhandled work, because the
// beat of the part before keeps moving and always looks recent.
func (c *Checker) awaited(ctx context.Context, scheduled time.Time, beats map[string]observation.Beat, part string, newest observation.Beat) (time.Duration, error) {
	mark := beats["awaited/"+part]
	if mark.At.After(beats[part].At) {
		return max(0, scheduled.Sub(mark.Tick)), nil
	}
	if !newest.At.After(beats[part].At) {
		return 0, nil
	}
	mark = observation.Beat{Part: "awaited/" + part, Tick: newest.Tick, At: newest.At}
	return max(0, scheduled.Sub(mark.Tick)), c.Store.PutBeat(ctx, mark)
}

func checkSweep(r *Report, scheduled time.Time, swept observation.Beat) {
	if swept.Tick.IsZero() {
		r.late("sweep has never run: see its log and its schedule")
		return
	}
	r.SweepAge = max(0, scheduled.Sub(swept.Tick))
	if r.SweepAge > unswept {
		r.late("sweep last ran %s ago: see its log and its schedule", r.SweepAge)
	}
}

// far is later than anything is due.
const far = 10 * 366 * 24 * time.Hour

func (c *Checker) checkOutbox(ctx context.Context, r *Report) error {
	now := c.Now()
	items, err := c.Store.Due(ctx, now.Add(far), listed)
	if err != nil {
		return err
	}
	r.Undelivered = len(items)
	for _, it := range items {
		r.OldestUndelivered = max(r.OldestUndelivered, now.Sub(it.CreatedAt))
	}
	// Items are sorted by due time.
	if len(items) > 0 && now.Sub(items[0].DueAt) > unswept {
		r.late("a message for %s has been due for %s and nobody took it up: see the logs of sweep and deliver",
			items[0].Destination, now.Sub(items[0].DueAt).Round(time.Second))
	}
	return nil
}

func (c *Checker) checkUsage(ctx context.Context, r *Report) error {
	today, err := c.Store.Usage(ctx, c.Now(), c.Now())
	for _, u := range today {
		r.DeadToday += u.Dead
		r.HeldToday += u.Held
	}
	return err
}

func (c *Checker) checkQueue(ctx context.Context, r *Report) (err error) {
	if r.FailureQueueDepth, err = c.Queue.Depth(ctx); err != nil {
		return err
	}
	if r.FailureQueueDepth > 0 {
		r.problem("%d batches of records were given up and wait in the failure queue: see the README, Operate, failure-queue", r.FailureQueueDepth)
	}
	return nil
}
