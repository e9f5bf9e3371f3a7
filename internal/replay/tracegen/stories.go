package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/replay/trace"
)

var stories = []story{
	{"clean-outage.csv", cleanOutage},
	{"flapping.jsonl", flapping},
	{"noisy-aggregate.jsonl", noisyAggregate},
	{"slow-recovery.jsonl", slowRecovery},
	{"vendor-gaps.jsonl", vendorGaps},
	{"month-of-minutes.jsonl", monthOfMinutes},
	{"two-sources.jsonl", twoSources},
}

func day(d int) time.Time { return time.Date(2026, time.March, d, 0, 0, 0, 0, time.UTC) }

// cleanOutage: three hours, one failure of forty minutes, and verdicts that are
// always right and in time.
func cleanOutage() []trace.Row {
	s := newScript("error", "checkout", "sentry", "payments", day(2).Add(9*time.Hour), time.Minute)
	s.say(60, healthy, healthy)
	s.say(40, failing, failing)
	s.say(80, healthy, healthy)
	return s.rows
}

// flapping: a service that crashes, is restarted and crashes again for four
// hours. All that time it is broken; every few minutes it looks well.
func flapping() []trace.Row {
	r := &random{state: 2}
	s := newScript("error", "search", "sentry", "search", day(3).Add(8*time.Hour), time.Minute)
	s.say(120, healthy, healthy)
	for end := s.now.Add(4 * time.Hour); s.now.Before(end); {
		s.say(r.between(1, 4), failing, failing)
		s.say(r.between(1, 5), failing, healthy)
	}
	s.say(1, failing, failing)
	s.say(180, healthy, healthy)
	return s.rows
}

// noisyAggregate: an error rate over all requests with a threshold close to its
// everyday noise. One minute in fifty is over it for no reason; in the one real
// failure one minute in seven is under it.
func noisyAggregate() []trace.Row {
	r := &random{state: 3}
	s := newScript("metric", "api", "datadog", "platform", day(4), time.Minute)
	s.mostly(15*60, healthy, healthy, failing, 2, r)
	s.mostly(45, failing, failing, healthy, 14, r)
	s.mostly(24*60-15*60-45, healthy, healthy, failing, 2, r)
	return s.rows
}

// slowRecovery: the vendor evaluates a window. It notices two minutes late, reports
// failing for eight minutes after the end, and then wavers, less and less, for half
// an hour. Twice.
func slowRecovery() []trace.Row {
	r := &random{state: 4}
	s := newScript("metric", "export", "datadog", "platform", day(5).Add(10*time.Hour), time.Minute)
	for range 2 {
		s.say(60, healthy, healthy)
		s.say(2, failing, healthy)
		s.say(28, failing, failing)
		s.say(8, healthy, failing)
		for percent := 60; percent > 0; percent -= 10 {
			s.mostly(5, healthy, healthy, failing, percent, r)
		}
		s.say(120, healthy, healthy)
	}
	return s.rows
}

// vendorGaps: the vendor is out for a while in the middle of a failure, from
// before the beginning of another, over the end of a third, and in good times;
// once nobody polls at all.
func vendorGaps() []trace.Row {
	s := newScript("error", "mail", "sentry", "messaging", day(6).Add(6*time.Hour), time.Minute)
	s.say(30, healthy, healthy)
	s.say(20, failing, failing)
	s.say(25, failing, unknown)
	s.say(15, failing, failing)
	s.say(60, healthy, healthy)

	s.say(10, healthy, unknown)
	s.say(12, failing, unknown)
	s.say(20, failing, failing)
	s.say(60, healthy, healthy)

	s.say(20, failing, failing)
	s.say(5, failing, unknown)
	s.say(15, healthy, unknown)
	s.say(60, healthy, healthy)

	s.say(20, healthy, unknown)
	s.say(30, healthy, healthy)
	s.say(45, healthy, silent)
	s.say(60, healthy, healthy)
	return s.rows
}

// monthOfMinutes: thirty days of one key in which little happens: a dozen failures
// from one minute to three hours, and a vendor that sometimes does not answer.
func monthOfMinutes() []trace.Row {
	r := &random{state: 6}
	s := newScript("error", "billing", "sentry", "payments", day(1), time.Minute)
	lengths := []int{1, 45, 2, 180, 1, 7, 90, 3, 1, 25, 12, 60}
	end := day(1).AddDate(0, 0, 30)
	for _, n := range lengths {
		quiet := r.between(1000, 4500)
		s.say(quiet/2, healthy, healthy)
		s.say(r.between(1, 4), healthy, unknown)
		s.say(quiet/2, healthy, healthy)
		s.say(n, failing, failing)
	}
	s.say(int(end.Sub(s.now)/time.Minute), healthy, healthy)
	return s.rows
}

// twoSources: one key, reported by an alert that is polled every minute and by a
// synthetic check every five minutes, which sees a failure later and its end later
// too; and a failure that only the check sees.
func twoSources() []trace.Row {
	const quarter = 15
	start := day(7).Add(12 * time.Hour)
	alert := newScript("probe", "login", "alertmanager", "identity", start, time.Minute)
	check := newScript("probe", "login", "betterstack", "identity", start, 5*time.Minute)
	for range 2 {
		alert.say(4*quarter, healthy, healthy)
		alert.say(2*quarter, failing, failing)
		alert.say(4*quarter, healthy, healthy)
		check.say(12, healthy, healthy)
		check.say(1, failing, healthy)
		check.say(5, failing, failing)
		check.say(1, healthy, failing)
		check.say(11, healthy, healthy)
	}
	alert.say(quarter, failing, healthy)
	check.say(3, failing, failing)
	alert.say(4*quarter, healthy, healthy)
	check.say(12, healthy, healthy)

	rows := slices.Concat(alert.rows, check.rows)
	slices.SortStableFunc(rows, func(a, b trace.Row) int {
		return cmp.Or(a.Tick.Compare(b.Tick), cmp.Compare(a.Source, b.Source))
	})
	return rows
}
