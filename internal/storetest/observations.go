package storetest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

var observationChecks = []check{
	{"the first write of an observation wins", firstWrite},
	{"observations come in tick order, within a range", tickOrder},
	{"more than a megabyte of observations is read whole", manyPages},
	{"observations of all keys are read from a tick on", sinceTick},
	{"an observation that is too large is refused for good", tooLarge},
	{"reading observations stops when the reader does", stopReading},
	{"the newest observation of a key is the one of its latest tick", newestObservation},
}

func sinceTick(t *testing.T, s Store) {
	for _, k := range keysOf(8) {
		for minute := range 4 {
			put(t, s, observed(k, "a", at(9, minute)))
		}
	}
	found := map[string]int{}
	ok(t, s.ObservationsSince(ctx, at(9, 2), func(o observation.Observation, err error) error {
		ok(t, err)
		if o.Tick.Before(at(9, 2)) {
			t.Errorf("an observation of %v", o.Tick)
		}
		found[o.IncidentKey]++
		return nil
	}))
	equal(t, "keys", len(found), 8)
	equal(t, "of each", found[keysOf(1)[0]], 2)
	enough := errors.New("enough")
	fails(t, s.ObservationsSince(ctx, at(0), func(observation.Observation, error) error { return enough }), enough)
}

func put(t tb, s Store, o observation.Observation) bool {
	t.Helper()
	return must(s.PutObservation(ctx, o, at(23)))(t)
}

func read(t tb, s Store, key string, from, to time.Time) (all []observation.Observation) {
	t.Helper()
	ok(t, s.Observations(ctx, key, from, to, func(o observation.Observation) error {
		all = append(all, o)
		return nil
	}))
	return all
}

func firstWrite(t *testing.T, s Store) {
	first := observed("k", "sentry", at(10))
	second := first
	second.Verdict = observation.Healthy
	equal(t, "first is created", put(t, s, first), true)
	equal(t, "second is created", put(t, s, second), false)
	equal(t, "kept", read(t, s, "k", time.Time{}, time.Time{}), []observation.Observation{first})

	equal(t, "another source's is created", put(t, s, observed("k", "datadog", at(10))), true)
	equal(t, "another tick's is created", put(t, s, observed("k", "sentry", at(10, 1))), true)
	equal(t, "another key's is created", put(t, s, observed("j", "sentry", at(10))), true)
	equal(t, "one without an end is created", must(s.PutObservation(ctx, observed("i", "sentry", at(10)), time.Time{}))(t), true)
}

func tickOrder(t *testing.T, s Store) {
	for _, minute := range []int{5, 1, 9, 3, 7} {
		put(t, s, observed("k", "b", at(9, minute)))
		put(t, s, observed("k", "a", at(9, minute)))
	}
	ids := func(from, to time.Time) string {
		var all []string
		for _, o := range read(t, s, "k", from, to) {
			all = append(all, o.Tick.Format("4")+o.Source)
		}
		return strings.Join(all, " ")
	}
	equal(t, "all", ids(time.Time{}, time.Time{}), "1a 1b 3a 3b 5a 5b 7a 7b 9a 9b")
	equal(t, "both ends included", ids(at(9, 3), at(9, 7)), "3a 3b 5a 5b 7a 7b")
	equal(t, "from on", ids(at(9, 8), time.Time{}), "9a 9b")
	equal(t, "up to", ids(time.Time{}, at(9, 2)), "1a 1b")
	equal(t, "between", ids(at(9, 4), at(9, 4)), "")
	equal(t, "back to front", ids(at(9, 7), at(9, 3)), "")
}

func manyPages(t *testing.T, s Store) {
	const n = 30
	long := strings.Repeat("x", 60<<10)
	for i := range n {
		o := observed("k", "sentry", at(10, i))
		o.Summary = long
		put(t, s, o)
	}
	all := read(t, s, "k", time.Time{}, time.Time{})
	equal(t, "read", len(all), n)
	for i, o := range all {
		equal(t, "tick", o.Tick, at(10, i))
	}
}

func tooLarge(t *testing.T, s Store) {
	o := observed("k", "sentry", at(10))
	o.Summary = strings.Repeat("x", 500<<10)
	_, err := s.PutObservation(ctx, o, at(23))
	fails(t, err, observation.ErrUnwritable)
	equal(t, "kept", len(read(t, s, "k", time.Time{}, time.Time{})), 0)
}

func stopReading(t *testing.T, s Store) {
	for i := range 3 {
		put(t, s, observed("k", "sentry", at(10, i)))
	}
	enough := errors.New("enough")
	seen := 0
	err := s.Observations(ctx, "k", time.Time{}, time.Time{}, func(observation.Observation) error {
		seen++
		return enough
	})
	fails(t, err, enough)
	equal(t, "seen", seen, 1)
}

func newestObservation(t *testing.T, s Store) {
	newest := func(key string) (observation.Observation, bool) {
		o, found, err := s.NewestObservation(ctx, key)
		ok(t, err)
		return o, found
	}
	_, found := newest("k")
	equal(t, "found before any is written", found, false)
	last := observed("k", "datadog", at(10, 9))
	put(t, s, last)
	put(t, s, observed("k", "sentry", at(10, 1)))
	put(t, s, observed("j", "sentry", at(11)))
	o, found := newest("k")
	equal(t, "found", found, true)
	equal(t, "newest", o, last)
}
