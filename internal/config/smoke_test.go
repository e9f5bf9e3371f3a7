package config

import "testing"

// TestSmoke: every destination of the file can be tested, and nothing else is:
// a test is told there only, and is nobody's incident.
func TestSmoke(t *testing.T) {
	cfg, _ := load(t, "full.yaml")
	for _, destination := range cfg.Written() {
		id := SmokeID(destination)
		p, ok := cfg.PolicyFor(id)
		if !ok || !cfg.HasSource(id) || !IsSmoke(id) || p != SmokePolicy() || p.Cooldown != 0 {
			t.Errorf("%s: policy %+v", id, p)
		}
		o, ok := cfg.OwnerOf(id)
		if want := cfg.Recipients(destination); !ok || o.ID != SmokeOwner || len(o.Destinations) != len(want) || o.Destinations[0] != want[0] {
			t.Errorf("%s: owner %+v", id, o)
		}
		if cfg.OperatorActionFor(id) == "" {
			t.Errorf("%s does not say what to do", id)
		}
		if _, ok := cfg.SourceOf(id); ok {
			t.Errorf("%s is a source that is polled", id)
		}
	}
	for _, id := range []string{"smoke:", "smoke:nobody", "smoke", "x/smoke:"} {
		if _, ok := cfg.PolicyFor(id); ok || cfg.HasSource(id) || cfg.OperatorActionFor(id) != "" {
			t.Errorf("%q is known", id)
		}
	}
}
