package scenario_test

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
)

// case R2: failures in a row are in a row even where deciding lags behind: the
// health in between is told although no streak is known yet. What is not known
// in between, because a poll failed or the vendor did not say, breaks no row.
func TestCaseR2StreaksWhileDecidingLags(t *testing.T) {
	for _, tt := range []struct {
		line string
		open bool
	}{
		{"FHHHF", false},
		{"FAAF", false},
		{"FEEHF", false},
		{"FF", true},
		{"FUF", true},
		{"FEF", true},
		{"FPF", true},
		{"FHFF", true},
	} {
		t.Run(tt.line, func(t *testing.T) {
			v := newVendor()
			r := newRig(t, memory.New(), v)
			p := incident.DefaultPolicy()
			p.FailingRequired = 2
			r.setPolicy(p)
			for n := range len(tt.line) {
				v.set("vendor", listingFor(t, tt.line[n]))
				scheduled := noon.Add(time.Duration(n) * time.Minute)
				r.now = scheduled.Add(2 * time.Second)
				if n == len(tt.line)-1 {
					r.pump() // the decisions catch up
				}
				if err := r.poller().Poll(t.Context(), scheduled); err != nil {
					t.Fatal(err)
				}
			}
			r.pump()
			if got := r.state().Open; got != tt.open {
				t.Errorf("open: %v, want %v; told %s", got, tt.open, r.toldEqually())
			}
		})
	}
}

// A source that was unreadable, and was readable again before anybody decided,
// starts its row anew as well.
func TestUnreachableInARowWhileDecidingLags(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	for n, letter := range "EEHE" {
		v.set("vendor", listingFor(t, byte(letter)))
		scheduled := noon.Add(time.Duration(n) * time.Minute)
		r.now = scheduled.Add(2 * time.Second)
		if err := r.poller().Poll(t.Context(), scheduled); err != nil {
			t.Fatal(err)
		}
	}
	r.pump()
	if got := r.toldEqually(); got != "-" {
		t.Errorf("told %s of three polls that failed, not in a row", got)
	}
}
