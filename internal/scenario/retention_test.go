package scenario_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

const day = 24 * time.Hour

// TestCaseR3AnOpenIncidentOutlivesEveryRetention: while an incident is open, its rows
// are renewed before they expire, and no more often than that. Its reminders stay on
// schedule, and it resolves once.
func TestCaseR3AnOpenIncidentOutlivesEveryRetention(t *testing.T) {
	v, mem := newVendor(), memory.New()
	r := newRig(t, mem, v)
	p := incident.DefaultPolicy()
	p.Cooldown, p.StaleAfter = 3*day, 0
	r.setPolicy(p)
	r.cfg.Retention.Decisions, r.cfg.Retention.Deliveries = 12*day, 10*day
	kept := 0
	mem.SetHook(func(_ context.Context, c memory.Call) error {
		if c.Op == "Keep" && c.Phase == memory.After {
			kept++
		}
		return nil
	})
	var at []string
	told := map[string]int{}
	for d := range 40 {
		listing := whole(item("card", observation.Failing))
		if d >= 30 {
			listing = whole()
		}
		v.set("vendor", listing)
		before := kept
		r.tick(d * 24 * 60)
		if kept > before {
			at = append(at, r.now.Format("2 Jan"))
		}
		for _, action := range strings.Split(r.toldEqually(), "+") {
			told[action]++
		}
	}
	// It opens on 1 March and resolves at the second healthy poll, on 1 April.
	if got := strings.Join(at, ", "); got != "6 Mar, 11 Mar, 16 Mar, 21 Mar, 26 Mar, 31 Mar" {
		t.Errorf("kept on at %s", got)
	}
	if told["open"] != 1 || told["remind"] != 9 || told["resolve"] != 1 {
		t.Errorf("told %v", told)
	}
	// During a streak that has not opened, the episode before may expire.
	p.FailingRequired = 20
	r.setPolicy(p)
	v.set("vendor", whole(item("card", observation.Failing)))
	for d := 40; d < 55; d++ {
		r.tick(d * 24 * 60)
	}
	if kept != 6 || r.state().FailingStreak != 15 {
		t.Errorf("kept on %d times on a streak of %d", kept-6, r.state().FailingStreak)
	}
	r.cfg.Retention.Decisions, r.cfg.Retention.Deliveries = 0, 0
	for d := 55; d < 90; d++ {
		r.tick(d * 24 * 60)
	}
	if kept != 6 {
		t.Errorf("kept on %d times, though nothing expires", kept-6)
	}
}
