package scenario_test

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestAScheduleFromTheFutureFreezesNothing: one event for a time far ahead does not
// make all ticks before that time stale.
func TestAScheduleFromTheFutureFreezesNothing(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	v.set("vendor", whole(item("card", observation.Failing)))
	r.tick(0)
	if err := r.poller().Poll(t.Context(), noon.Add(10*365*24*time.Hour)); err == nil {
		t.Fatal("an event for ten years ahead was taken")
	}
	r.pump()
	v.set("vendor", whole())
	r.tick(1)
	r.tick(2)
	if told := r.told()[slackDest]; len(told) != 2 {
		t.Errorf("told %v, want the open and the resolve", told)
	}
}

// TestHowFarASchedulesClockMayBeAhead: the clocks of the schedule and of this machine
// may differ by a little, and by no more.
func TestHowFarASchedulesClockMayBeAhead(t *testing.T) {
	for _, tc := range []struct {
		ahead time.Duration
		polls int
	}{{5 * time.Minute, 1}, {5*time.Minute + time.Second, 0}, {time.Hour, 0}} {
		v := newVendor()
		r := newRig(t, memory.New(), v)
		err := r.poller().Poll(t.Context(), r.now.Add(tc.ahead))
		if got := v.polls("vendor"); got != tc.polls || (err == nil) != (tc.polls == 1) {
			t.Errorf("%s ahead: %d polls, %v", tc.ahead, got, err)
		}
	}
}
