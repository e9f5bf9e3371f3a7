package scenario_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestTheTwinOfARemovedSourceProvesNothing: one of two sources of the same vendor is
// removed while its incident is open. The other never listed that incident, so its
// absence there proves no recovery, whether or not the keys name the source. The
// incident ends as no longer reported once no source can report it.
func TestTheTwinOfARemovedSourceProvesNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		key      func(id string) []config.KeyPart
		parts    []observation.Part
		interval time.Duration
	}{
		"keys that differ": {func(id string) []config.KeyPart {
			return []config.KeyPart{{Name: "prometheus", Value: `"` + id + `"`, Type: "id"}, {Name: "payment", Value: ".id", Type: "id"}}
		}, []observation.Part{{Name: "prometheus", Value: "a"}}, time.Minute},
		"keys alike":         {paymentKey, nil, time.Minute},
		"a twin polled less": {paymentKey, nil, 3 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s store) {
				v := newVendor()
				r, source := inherited(t, s, v)
				a, b := source("a"), source("b")
				a.Map.Key, b.Map.Key, b.Interval = tt.key("a"), tt.key("b"), tt.interval
				r.cfg.Sources = []config.Source{a, b}
				failing := item("card", observation.Failing)
				failing.Parts = append(tt.parts, failing.Parts...)
				v.set("a", whole(failing))
				v.set("b", whole())
				r.tick(0)
				if got := r.toldEqually(); got != "open" {
					t.Fatalf("told %s", got)
				}
				r.cfg.Sources = r.cfg.Sources[1:]
				for n := 1; n <= 5; n++ {
					r.tick(n)
					want := map[bool]string{true: "resolve", false: "-"}[n == 5]
					if got := r.toldEqually(); got != want {
						t.Errorf("minute %d: told %s, want %s", n, got, want)
					}
				}
				if posts := r.posts(); len(posts) != 2 || !strings.Contains(posts[1], "NO LONGER REPORTED") {
					t.Errorf("told %q", posts)
				}
			})
		})
	}
}

// TestASourceThatIsNewSpeaksForTheRemovedOne: a source replaces a removed one, whose
// incident recovers meanwhile, and is unreachable in its first minutes. It is new, or
// was configured before the removed one. Its complete listings resolve the incident.
func TestASourceThatIsNewSpeaksForTheRemovedOne(t *testing.T) {
	for name, before := range map[string]func(*rig, *vendor, config.Source){
		"by another name": func(*rig, *vendor, config.Source) {},
		"moved back": func(r *rig, v *vendor, heir config.Source) {
			v.set(heir.ID, whole())
			with := r.cfg.Sources
			r.cfg.Sources = []config.Source{heir}
			r.tick(-6)
			r.tick(-5)
			r.cfg.Sources = with
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s store) {
				v := newVendor()
				r, source := inherited(t, s, v)
				heir := source("b")
				r.now = noon.Add(-time.Hour)
				r.cfg.Sources = []config.Source{source("a")}
				before(r, v, heir)
				v.set("a", whole(item("card", observation.Failing)))
				r.tick(0)
				r.cfg.Sources = []config.Source{heir}
				for n, l := range []observation.Listing{broken("HTTP 401"), broken("HTTP 401"), whole(), whole()} {
					v.set("b", l)
					r.tick(n + 1)
				}
				if posts := r.posts(); len(posts) != 2 || !strings.Contains(posts[1], "RESOLVED in test") {
					t.Errorf("told %q", posts)
				}
			})
		})
	}
}

func paymentKey(string) []config.KeyPart {
	return []config.KeyPart{{Name: "payment", Value: ".id", Type: "id"}}
}

// inherited returns a rig whose policies end an incident after five minutes without a
// report, and a function that makes its sources, which share their keys.
func inherited(t *testing.T, s store, v *vendor) (*rig, func(id string) config.Source) {
	r := newRig(t, s, v)
	p := incident.DefaultPolicy()
	staleAfterFive(&p)
	r.setPolicy(p)
	owner := r.cfg.Owners["payments"]
	owner.Policy = p
	r.cfg.Owners["payments"] = owner
	first := r.cfg.Sources[0]
	return r, func(id string) config.Source {
		src := first
		src.ID, src.Map.Key = id, paymentKey(id)
		return src
	}
}

// TestWhatNobodyWatchesEndsWhateverThePolicy: if the policy lets nothing lapse, no
// incident lapses that a source could still report. Those of a removed source, and
// those about the source itself, end as no longer reported after the built-in hour.
func TestWhatNobodyWatchesEndsWhateverThePolicy(t *testing.T) {
	for name, said := range map[string]struct {
		listing observation.Listing
		ticks   int
	}{
		"what it reported":       {whole(item("card", observation.Failing)), 1},
		"that it was unreadable": {broken("HTTP 500"), 3},
		"that it was flooded":    {failures(5), 1},
	} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s store) {
				v := newVendor()
				r, source := inherited(t, s, v)
				p := incident.DefaultPolicy()
				p.StaleAfter, p.Cooldown = 0, 0
				owner := r.cfg.Owners["payments"]
				owner.Policy = p
				r.cfg.Owners["payments"] = owner
				stays, goes := source("stays"), source("goes")
				stays.Kind, stays.Absent, goes.MaxNewIncidents = "alert", config.AbsentUnknown, 3
				stays.Policy, goes.Policy = p, p
				r.cfg.Sources = []config.Source{stays, goes}
				other := item("bank", observation.Failing)
				other.Kind = "alert"
				v.set("stays", whole(other))
				v.set("goes", said.listing)
				for n := range said.ticks {
					r.tick(n)
				}
				if n := len(r.posts()); n != 2 {
					t.Fatalf("%d opens, want 2", n)
				}
				v.set("stays", whole())
				r.cfg.Sources = []config.Source{stays}
				last := said.ticks - 1 + 60
				r.tick(last - 1)
				if n := len(r.posts()); n != 2 {
					t.Fatalf("%d messages before the hour is over", n)
				}
				for n := last; n < last+5; n++ {
					r.tick(n)
				}
				if posts := r.posts(); len(posts) != 3 || !strings.Contains(posts[2], "no longer reported") || strings.Contains(posts[2], "bank") {
					t.Errorf("told %q", posts)
				}
			})
		})
	}
}
