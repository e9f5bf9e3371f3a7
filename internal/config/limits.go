package config

import (
	"fmt"
	"time"
)

const (
	// sweep is the period at which due messages are sent: none is tried more often.
	sweep = time.Minute
	// maxAttempts, a day of one a minute, keeps a delivery's row below the 400 KB that
	// DynamoDB takes ("Quotas", DynamoDB Developer Guide), even where none is left out
	// of it because each may have arrived.
	maxAttempts = 1500
)

// delivery reads how sends are retried. Full-jitter waits grow from the base to the
// cap; a message that cannot be sent for a day is given up as dead.
func (f *fields) delivery() DeliveryPolicy {
	d := DeliveryPolicy{
		BackoffBase:   f.duration("backoff_base", 10*time.Second, time.Second, time.Hour),
		BackoffCap:    f.duration("backoff_cap", 15*time.Minute, time.Second, day),
		RetryAfterCap: f.duration("retry_after_cap", time.Hour, time.Second, day),
		GiveUpAfter:   f.duration("give_up_after", day, time.Minute, 14*day),
		MaxAge:        f.duration("max_age", time.Hour, time.Minute, 14*day),
	}
	if d.BackoffCap < d.BackoffBase {
		f.fail("backoff_cap", "is shorter than backoff_base ("+FormatDuration(d.BackoffBase)+")", "make it at least as long")
	}
	if d.BackoffCap > d.GiveUpAfter {
		f.fail("give_up_after", "is shorter than backoff_cap ("+FormatDuration(d.BackoffCap)+")", "make it at least as long")
	}
	if n := d.GiveUpAfter / max(d.BackoffCap, sweep); n > maxAttempts {
		f.fail("give_up_after", fmt.Sprintf("allows about %d attempts at backoff_cap %s, more than %d", n, FormatDuration(d.BackoffCap), maxAttempts),
			"shorten it, or raise backoff_cap")
	}
	f.end()
	return d
}

// retention reads how long rows live.
func (f *fields) retention() Retention {
	r := Retention{
		Observations: f.duration("observations", 14*day, day, 400*day),
		PollRuns:     f.duration("poll_runs", 14*day, day, 400*day),
		Decisions:    f.durationOr(never, "decisions", DefaultKept, 30*day, maxKept),
		Deliveries:   f.durationOr(never, "deliveries", DefaultKept, 30*day, maxKept),
	}
	if r.outlives(r.Observations, r.Decisions) {
		f.fail("decisions", "is shorter than observations are kept ("+FormatDuration(r.Observations)+")",
			"what was seen could not be held against what was decided: make it at least as long")
	}
	if r.outlives(r.Deliveries, r.Decisions) {
		f.fail("decisions", "is shorter than deliveries are kept ("+durationOr(r.Deliveries, never)+")",
			"a message without its decision explains nothing: make it at least as long")
	}
	f.end()
	return r
}

// outlives reports whether rows with the one retention still exist when those with
// the other have expired.
func (Retention) outlives(one, other time.Duration) bool {
	return other > 0 && (one == 0 || one > other)
}

const (
	// DefaultKept is how long decisions and deliveries are kept: a year, and a month
	// more to compare a month with the same one a year before.
	DefaultKept = 400 * day
	maxKept     = 3650 * day
)
