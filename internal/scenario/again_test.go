package scenario_test

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// A source that is polled once a day and cannot be read for a minute is asked
// again in the next, and not without end; what it brings counts for the day, and
// that it could not be read counts once.
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
