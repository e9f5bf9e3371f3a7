package scenario_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestCaseR2StreaksWhileDecidingLags is case R2: failures form a streak even if decide
// lags behind. A healthy poll between them is recorded although no streak is known
// yet. An unknown one, after a failed poll or without a vendor's verdict, does not
// break the streak.
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

// TestUnreachableInARowWhileDecidingLags: a source that was unreachable, and was read
// again before decide had folded either, starts a new streak.
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

// TestCaseS2NoFloodWhileDecidingLags is case S2: keys that a poll found and had no
// room to remember are not a flood a tick later, while decide has not folded them.
// After that, a flood is one again.
func TestCaseS2NoFloodWhileDecidingLags(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.cfg.Sources[0].MaxNewIncidents = 300
	flooded := func() bool {
		found := false
		_ = r.tap.Incidents(t.Context(), func(s incident.State) error {
			found = found || s.Kind == "overflow"
			return nil
		})
		return found
	}
	for n, tt := range []struct {
		failing int
		decided bool
		want    bool
	}{{300, false, false}, {590, false, false}, {880, true, false}, {1181, true, true}} {
		var items []observation.Item
		for i := range tt.failing {
			items = append(items, item(fmt.Sprintf("card-%04d", i), observation.Failing))
		}
		v.set("vendor", whole(items...))
		scheduled := noon.Add(time.Duration(n) * time.Minute)
		r.now = scheduled.Add(2 * time.Second)
		if err := r.poller().Poll(t.Context(), scheduled); err != nil {
			t.Fatal(err)
		}
		if !tt.decided {
			continue
		}
		obs, _ := r.tap.take()
		if failed := r.decider().Decide(t.Context(), obs); len(failed) > 0 {
			t.Fatal(failed)
		}
		if got := flooded(); got != tt.want {
			t.Errorf("minute %d: a flood: %v, want %v", n, got, tt.want)
		}
	}
}
