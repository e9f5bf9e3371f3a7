package scenario_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestTheRemovalOfASourceIsNoDifference: a source that is removed or renamed no longer
// keeps its incidents open. The moment is recorded nowhere; the replay finds it.
func TestTheRemovalOfASourceIsNoDifference(t *testing.T) {
	for healthy := 1; healthy <= 4; healthy++ {
		for removed := range 6 {
			t.Run(fmt.Sprintf("%d healthy, removed at %d", healthy, removed), func(t *testing.T) {
				v := newVendor()
				r := newRig(t, memory.New(), v)
				p := incident.DefaultPolicy()
				p.HealthyRequired = healthy
				r.setPolicy(p)
				all := r.cfg.Sources
				old := all[0]
				old.ID = "old"
				r.cfg.Sources = append(all, old)
				v.set("old", whole(item("card", observation.Failing)))
				v.set("vendor", whole(item("card", observation.Failing)))
				r.tick(0)
				v.set("vendor", listingFor(t, 'H'))
				resolved := -1
				for n := 1; n < 14; n++ {
					if n > removed {
						r.cfg.Sources = all
					}
					// It stops answering before it is removed.
					v.set("old", listingFor(t, 'U'))
					r.tick(n)
					if !r.state().Open && resolved < 0 {
						resolved = n
					}
				}
				if resolved != removed+healthy {
					t.Fatalf("resolved at %d", resolved)
				}
				if rep := r.explained(r.state().Key, explain.Query{}); len(rep.Differences) > 0 {
					t.Errorf("the replay differs from the log: %+v", rep.Differences)
				}
			})
		}
	}
}

// TestTheRemovalOfASourceWhileFlappingIsNoDifference: the source that the flapping
// began with is removed, and how long the incident has been stable depends on when. Two
// possible states may differ in nothing else: the replay keeps both until the log tells
// them apart.
func TestTheRemovalOfASourceWhileFlappingIsNoDifference(t *testing.T) {
	p := incident.DefaultPolicy()
	p.FailingRequired, p.HealthyRequired, p.Cooldown, p.MaxReminders = 1, 2, time.Minute, 0
	p.FlapEpisodes, p.FlapWindow, p.FlapStableTicks = 2, 15*time.Minute, 3
	p.ReopenWithin, p.StaleAfter = 5*time.Minute, 4*time.Minute
	h := newHistory(t, t.Context(), p)
	verdicts := map[rune]observation.Verdict{'F': observation.Failing, 'H': observation.Healthy}
	others := map[int]observation.Verdict{8: observation.Healthy, 10: observation.Failing}
	speaks := map[int]int{0: takesOn, 10: takesOn, 20: takesBack, 22: takesOn}
	for n, v := range "FFFFFFFFHHFFHFHFFHFFHFFFFF" {
		if n == 11 {
			h.configure(p, "*", 1)
		}
		all := []said{{n, "vendor", verdicts[v]}}
		if other, ok := others[n]; ok {
			all = append(all, said{n, "other", other})
		}
		h.minute(n, all, false)
		if what, ok := speaks[n]; ok {
			h.speak(n, what)
		}
	}
	h.checkExplained(false)
}
