package scenario_test

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
)

// TestAStreakThatMayHaveLapsedIsNoDifference: the lapse of a streak is not logged.
// Later decisions show whether it lapsed or was kept because the vendor was not
// polled; either way there is no difference.
func TestAStreakThatMayHaveLapsedIsNoDifference(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		pause         int
		required      int
		want          string
	}{
		"lapsed":                         {"FAAAAAAA", "FAAF", 0, 2, "failing×2 none below_threshold; failing×1 open failing_streak"},
		"lapsed, and lapsed again":       {"FAAAAAAAF", "AAAAAAAFF", 0, 2, "failing×3 none below_threshold; failing×1 open failing_streak"},
		"kept: nobody asked":             {"F", "F", 60, 2, "failing×1 none below_threshold; failing×1 open failing_streak"},
		"kept, which shows only later":   {"F", "FF", 60, 3, "failing×2 none below_threshold; failing×1 open failing_streak"},
		"kept: the source could not say": {"FUUUUUUUUU", "F", 0, 2, "failing×1 none below_threshold; unknown×9 none unknown_observation; failing×1 open failing_streak"},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVendor()
			r := newRig(t, memory.New(), v)
			r.cfg.Sources[0].Absent = config.AbsentUnknown
			p := incident.DefaultPolicy()
			p.FailingRequired, p.StaleAfter = c.required, 5*time.Minute
			r.setPolicy(p)
			n := 0
			for _, letter := range c.before {
				v.set("vendor", listingFor(t, byte(letter)))
				r.tick(n)
				n++
			}
			n += c.pause
			for _, letter := range c.after {
				v.set("vendor", listingFor(t, byte(letter)))
				r.tick(n)
				n++
			}
			rep := r.explained(r.state().Key, explain.Query{})
			if got := line(rep); got != c.want || len(rep.Differences) > 0 {
				t.Errorf("%s\nwant %s\ndifferences %+v", got, c.want, rep.Differences)
			}
		})
	}
}
