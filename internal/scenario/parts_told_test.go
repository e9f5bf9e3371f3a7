package scenario_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/recorded"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// keep stores an observation as poll does, and decides on it.
func (r *rig) keep(o observation.Observation) map[string]error {
	r.t.Helper()
	if _, err := r.tap.PutObservation(r.t.Context(), o, time.Time{}); err != nil {
		r.t.Fatal(err)
	}
	r.now = o.Tick.Add(3 * time.Second)
	return r.decider().Decide(r.t.Context(), []observation.Observation{o})
}

// TestAnEndInPartsIsOneEnd is case O3: explain, report and backtest count one resolve
// and find no difference, even if a worker was lost between the parts.
func TestAnEndInPartsIsOneEnd(t *testing.T) {
	for name, lost := range map[string]struct{ at, next int }{"at once": {}, "judged again": {2, 10}, "by the next poll": {2, 11}} {
		t.Run(name, func(t *testing.T) {
			mem := memory.New()
			r := newRig(t, mem, newVendor())
			p := incident.DefaultPolicy()
			p.Cooldown, p.HealthyRequired = time.Minute, 1
			r.setPolicy(p)
			for n, team := range []string{"a", "b", "c", "d", "e", "f"} {
				r.team(team)
				r.keep(observed(minute(n), observation.Failing))
			}
			commits := 0
			mem.SetHook(func(_ context.Context, c memory.Call) error {
				if c.Op == "Commit" && c.Phase == memory.Before {
					if commits++; commits == lost.at {
						return errors.New("lost")
					}
				}
				return nil
			})
			if failed := r.keep(observed(minute(10), observation.Healthy)); len(failed) > 0 != (lost.at > 0) {
				t.Fatal(failed)
			}
			mem.SetHook(nil)
			if lost.at > 0 {
				r.keep(observed(minute(lost.next), observation.Healthy))
			}
			rep := r.explained(r.state().Key, explain.Query{})
			if len(rep.Differences)+len(rep.Notes) > 0 {
				t.Errorf("differences %+v, notes %v", rep.Differences, rep.Notes)
			}
			if ep := rep.Episodes[0]; ep.Resolves != 1 || strings.Count(rep.Why, "The resolve (") != 1 {
				t.Errorf("%d resolves", ep.Resolves)
			}
			if w := r.measured(noon, noon.Add(time.Hour)).Whole; w.Lacking["decisions"] > 0 {
				t.Errorf("the report lacks %+v", w)
			}
			if lost.at > 0 {
				return
			}
			if live, replayed := r.decided(), r.backtested(recorded.Store(mem)); len(live) != 7 || !slices.Equal(live, replayed) {
				t.Errorf("live\n%v\nreplayed\n%v", live, replayed)
			}
		})
	}
}
