package scenario_test

import (
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// One of two sources of the same vendor is removed while its incident is open. The
// other lists what it watches, in which that incident never was: it proves no
// recovery. It ends as no longer reported once nobody can speak for it.
func TestTheTwinOfARemovedSourceProvesNothing(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	p := incident.DefaultPolicy()
	staleAfterFive(&p)
	r.setPolicy(p)
	owner := r.cfg.Owners["payments"]
	owner.Policy = p
	r.cfg.Owners["payments"] = owner
	twin := func(id string) config.Source {
		s := r.cfg.Sources[0]
		s.ID = id
		s.Map.Key = []config.KeyPart{{Name: "prometheus", Value: `"` + id + `"`, Type: "id"}, {Name: "payment", Value: ".id", Type: "id"}}
		return s
	}
	r.cfg.Sources = []config.Source{twin("a"), twin("b")}
	failing := item("card", observation.Failing)
	failing.Parts = append([]observation.Part{{Name: "prometheus", Value: "a"}}, failing.Parts...)
	v.set("a", whole(failing))
	v.set("b", whole())
	r.tick(0)
	if got := r.toldEqually(); got != "open" {
		t.Fatalf("told %s", got)
	}
	r.cfg.Sources = r.cfg.Sources[1:]
	for n, want := range []string{1: "-", 2: "-", 3: "-", 4: "-", 5: "resolve"} {
		if n == 0 {
			continue
		}
		r.tick(n)
		if got := r.toldEqually(); got != want {
			t.Errorf("minute %d: told %s, want %s", n, got, want)
		}
	}
}
