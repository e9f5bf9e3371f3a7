package scenario_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
)

// TestAPolicyThatNothingWasDecidedByIsNoDifference: a policy may be in force while
// nothing is decided. The incident's row records it, on both stores, and its content
// is stored.
func TestAPolicyThatNothingWasDecidedByIsNoDifference(t *testing.T) {
	const first, last = 1, 3
	for name, c := range map[string]struct {
		before, between, after incident.Policy
		ticks                  string
	}{
		"before it opens": {
			incident.Policy{FailingRequired: 1, HealthyRequired: 1},
			incident.Policy{FailingRequired: 9, HealthyRequired: 1},
			incident.Policy{FailingRequired: 4, HealthyRequired: 1},
			"HFFFFH",
		},
		"while it is open": {
			incident.Policy{FailingRequired: 1, HealthyRequired: 1, Cooldown: time.Minute},
			incident.Policy{FailingRequired: 1, HealthyRequired: 3},
			incident.Policy{FailingRequired: 1, HealthyRequired: 1, Cooldown: time.Minute},
			"FFFFF",
		},
		"on its way to recover": {
			incident.Policy{FailingRequired: 1, HealthyRequired: 1},
			incident.Policy{FailingRequired: 1, HealthyRequired: 9},
			incident.Policy{FailingRequired: 1, HealthyRequired: 1},
			"FHHHH",
		},
	} {
		onStores(t, name, true, func(t *testing.T, s store) {
			v := newVendor()
			r := newRig(t, s, v)
			for n, verdict := range c.ticks {
				switch {
				case n < first:
					r.setPolicy(c.before)
				case n < last:
					r.setPolicy(c.between)
				default:
					r.setPolicy(c.after)
				}
				v.set("vendor", listingFor(t, byte(verdict)))
				r.tick(n)
			}
			rep := r.explained(r.state().Key, explain.Query{})
			if len(rep.Differences)+len(rep.Notes) > 0 {
				t.Errorf("%s: differences %+v, notes %v", line(rep), rep.Differences, rep.Notes)
			}
			if content, err := s.Policy(t.Context(), c.between.Hash()); err != nil || len(content) == 0 {
				t.Errorf("the policy in between is %q, %v", content, err)
			}
		})
	}
}

// TestAPolicyThatIsLostIsNoDifference: without the content of a policy that was in
// force, explain cannot check the log. It says so and raises no alarm.
func TestAPolicyThatIsLostIsNoDifference(t *testing.T) {
	mem := memory.New()
	v := newVendor()
	r := newRig(t, mem, v)
	all := []incident.Policy{
		{FailingRequired: 1, HealthyRequired: 1, Cooldown: time.Minute},
		{FailingRequired: 1, HealthyRequired: 3},
		{FailingRequired: 1, HealthyRequired: 1, Cooldown: time.Minute},
	}
	for n, verdict := range "FFFHF" {
		mem.SetHook(nil)
		if n == 1 {
			mem.SetHook(failNth("PutPolicy", memory.Before, 1))
		}
		r.setPolicy(all[min(n, 2)])
		v.set("vendor", listingFor(t, byte(verdict)))
		r.tick(n)
	}
	rep := r.explained(r.state().Key, explain.Query{})
	if len(rep.Differences) > 0 {
		t.Errorf("%s: differences %+v", line(rep), rep.Differences)
	}
	if notes := strings.Join(rep.Notes, "; "); !strings.Contains(notes, "policy "+all[1].Hash()+" is not stored") ||
		!strings.Contains(notes, "whether the log is right at 2026-03-01 12:01 UTC cannot be told") {
		t.Errorf("notes %s", notes)
	}
}
