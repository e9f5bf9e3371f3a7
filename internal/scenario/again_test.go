package scenario_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestAHiccupDoesNotCostADay polls a source once a day. A poll that fails is repeated
// in the next minutes, a limited number of times; its result counts for the day, and
// the failure counts once.
func TestAHiccupDoesNotCostADay(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.cfg.Sources[0].Interval = 24 * time.Hour
	r.cfg.Sources[0].UnreachableAfter = 2
	midnight := 12 * 60
	v.set("vendor", broken("HTTP 500"))
	r.tick(midnight)
	r.tick(midnight + 1)
	if got := r.toldEqually(); got != "-" {
		t.Errorf("told %s of a source that could not be read at one tick", got)
	}
	v.set("vendor", listingFor(t, 'F'))
	r.tick(midnight + 2)
	r.tick(midnight + 3)
	if got := r.toldEqually(); got != "open" || v.polls("vendor") != 3 {
		t.Errorf("told %s after asking %d times", got, v.polls("vendor"))
	}
	v.set("vendor", broken("HTTP 500"))
	for n := range 10 {
		r.tick(midnight + 24*60 + n)
	}
	if got := v.polls("vendor"); got != 6 {
		t.Errorf("asked %d times, want 3 more", got)
	}
	runs, err := r.tap.Runs(t.Context(), "vendor", 9)
	if err != nil || len(runs) != 2 || runs[0].State != observation.RunFailed || runs[0].Try != 3 || runs[1].State != observation.RunOK {
		t.Errorf("runs %+v, %v", runs, err)
	}
}

// TestAPollThatWasRepeatedInTimeIsNoFailure: a vendor that is busy at each full hour
// and answers a minute later is read every hour, and is never reported as unreachable.
// Once it is out, that is told after the usual number of polls.
func TestAPollThatWasRepeatedInTimeIsNoFailure(t *testing.T) {
	for _, tc := range []struct {
		interval time.Duration
		// out are the minutes of each interval at which the vendor does not answer.
		out  []int
		want string
	}{
		{time.Hour, []int{0}, "- - - - - -"},
		{time.Hour, []int{0, 1}, "- - - - - -"},
		{time.Hour, []int{0, 1, 2}, "- - open - - -"},
		{3 * time.Minute, []int{0}, "- - - - - -"},
		{3 * time.Minute, []int{0, 1}, "- - open - - -"},
		// Nothing is left to wait for: the next poll may be the last of its tick.
		{2 * time.Minute, []int{0}, "- - open - - -"},
	} {
		v := newVendor()
		r := newRig(t, memory.New(), v)
		r.cfg.Sources[0].Interval = tc.interval
		r.cfg.Sources[0].Policy.Cooldown = 0
		minutes := int(tc.interval / time.Minute)
		var got []string
		for hour := range 6 {
			for m := range min(minutes, 5) {
				v.set("vendor", listingFor(t, 'A'))
				if slices.Contains(tc.out, m) {
					v.set("vendor", broken("HTTP 503"))
				}
				r.tick(hour*minutes + m)
			}
			got = append(got, r.toldEqually())
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("every %s, out at minutes %v: got %s, want %s", tc.interval, tc.out, strings.Join(got, " "), tc.want)
		}
	}
}

// TestALimitThatEndsInsideAnIntervalCostsNoMore: a vendor that limits requests until
// ten seconds past the hour is polled a minute past it, not an hour later.
func TestALimitThatEndsInsideAnIntervalCostsNoMore(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.cfg.Sources[0].Interval = time.Hour
	r.cfg.Sources[0].UnreachableAfter = 2
	limited := broken("HTTP 429")
	limited.NotBefore = noon.Add(time.Hour + 10*time.Second)
	v.set("vendor", limited)
	r.tick(0)
	r.tick(1)
	v.set("vendor", listingFor(t, 'F'))
	r.tick(60)
	if got := r.toldEqually(); got != "-" || v.polls("vendor") != 1 {
		t.Errorf("told %s after asking %d times, which is too early", got, v.polls("vendor"))
	}
	r.tick(61)
	r.tick(62)
	if got := r.toldEqually(); got != "open" || v.polls("vendor") != 2 {
		t.Errorf("told %s after asking %d times", got, v.polls("vendor"))
	}
	runs, err := r.tap.Runs(t.Context(), "vendor", 9)
	if err != nil || len(runs) != 2 || runs[0].State != observation.RunOK || runs[0].Try != 2 {
		t.Errorf("runs %+v, %v", runs, err)
	}
}
