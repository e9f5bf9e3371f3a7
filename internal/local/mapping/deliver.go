package mapping

import (
	"context"
	"fmt"
	"time"
)

// deliver invokes the function until every record of a batch is handled or given up.
// An error means that neither was possible for some of them: the context ended, or
// the checkpoint or the failure could not be written.
func (m *Mapping) deliver(ctx context.Context, w *window, batch []record) error {
	failures := 0
	for len(batch) > 0 {
		fresh, err := m.dropOld(ctx, w, batch)
		if err != nil || len(fresh) == 0 {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r := m.invoke(ctx, fresh)
		if r.handled > 0 {
			failures = 0
			if err := m.finish(w, fresh[:r.handled]); err != nil {
				return err
			}
		}
		if batch = fresh[r.handled:]; len(batch) == 0 {
			return nil
		}
		if batch, failures, err = m.failed(ctx, w, batch, r, failures+1); err != nil {
			return err
		}
	}
	return nil
}

// failed returns the records that are left to deliver after the first record of a
// batch, or all of it, has failed the given number of times in a row, and the new
// number of failures.
func (m *Mapping) failed(ctx context.Context, w *window, batch []record, r result, failures int) ([]record, int, error) {
	if err := ctx.Err(); err != nil {
		// A shutdown may end the function too: such a failure is no reason to give a
		// record up.
		return nil, 0, err
	}
	m.Problem(fmt.Errorf("stream %s, record %s: %w", m.StreamARN, batch[0].sequence(), r.err))
	if r.whole && m.Settings.BisectBatchOnFunctionError && len(batch) > 1 {
		half := len(batch) / 2
		return batch[half:], 0, m.deliver(ctx, w, batch[:half])
	}
	if limit := m.Settings.MaximumRetryAttempts; limit >= 0 && failures > limit {
		return nil, 0, m.giveUp(ctx, w, batch, retriesExhausted, failures)
	}
	return batch, failures, sleep(ctx, m.Backoff(failures))
}

// result is the result of one invocation: how many records from the start of the
// batch were handled, and why the next one was not.
type result struct {
	handled int
	err     error
	// whole says that the function failed as a whole.
	whole bool
}

// invoke invokes the function once. Stopping the mapping does not cancel the call;
// the function's own timeout bounds it.
func (m *Mapping) invoke(ctx context.Context, batch []record) result {
	response, err := m.Function.Invoke(context.WithoutCancel(ctx), m.event(batch))
	if err != nil {
		return result{err: err, whole: true}
	}
	if !m.Settings.ReportBatchItemFailures {
		return result{handled: len(batch)}
	}
	handled, err := handledCount(response, batch)
	return result{handled: handled, err: err}
}

func (m *Mapping) finish(w *window, records []record) error {
	m.count(len(records))
	return w.mark(records)
}

// giveUp sends records to the failure queue and continues after them.
func (m *Mapping) giveUp(ctx context.Context, w *window, records []record, condition string, invocations int) error {
	if err := m.Failures.Add(ctx, m.failure(w.shard, records, condition, invocations)); err != nil {
		return fmt.Errorf("hand records of stream %s from %s on to the failure queue: %w", m.StreamARN, records[0].sequence(), err)
	}
	return m.finish(w, records)
}

// dropOld gives up the records at the start of the batch that are too old and
// returns the others.
func (m *Mapping) dropOld(ctx context.Context, w *window, batch []record) ([]record, error) {
	limit := m.Settings.MaximumRecordAge
	if limit <= 0 {
		return batch, nil
	}
	now, old := m.Now(), 0
	for old < len(batch) && now.Sub(batch[old].created()) > limit {
		old++
	}
	if old == 0 {
		return batch, nil
	}
	return batch[old:], m.giveUp(ctx, w, batch[:old], recordAgeExceeded, 0)
}

// created returns when the row was written, to the second; the far future if the
// stream does not say, so that no record is given up for that.
func (r record) created() time.Time {
	if r.Dynamodb.ApproximateCreationDateTime == nil {
		return time.Unix(1<<40, 0)
	}
	return *r.Dynamodb.ApproximateCreationDateTime
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
