package scenario_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
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

// case S2: what a run found and had no room to remember is no flood a tick later, while
// nobody has decided on it yet; once that is done, a flood is one again.
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
