package config

import (
	"strings"
	"testing"
)

// TestReachability: a source's reachability is its owner's, opens after
// unreachable_after polls and resolves with the first good one (case U1).
func TestReachability(t *testing.T) {
	cfg, _ := load(t, "full.yaml")
	id := ReachabilityID("tracker-checkout")
	if id != "tracker-checkout/reachability" {
		t.Errorf("id %q", id)
	}
	want := policyFor(t, cfg, "tracker-checkout")
	want.FailingRequired, want.HealthyRequired = 5, 1
	if got := policyFor(t, cfg, id); got != want {
		t.Errorf("policy %+v, want %+v", got, want)
	}
	if o, ok := cfg.OwnerOf(id); !ok || o.ID != "payments" {
		t.Errorf("owner %+v", o)
	}
	if got := cfg.OperatorActionFor(id); got != "Check that tracker-checkout is reachable and its credentials are valid: Ringonce is blind to it until then." {
		t.Errorf("operator action %q", got)
	}
	if p := policyFor(t, cfg, ReachabilityID("legacy")); p.FailingRequired != DefaultUnreachableAfter {
		t.Errorf("switched off: failing_required %d, want a sound policy for what is under way", p.FailingRequired)
	}
}

// TestOverflow: too many at once are told at once, whatever one failure must
// wait for.
func TestOverflow(t *testing.T) {
	cfg, _ := load(t, "full.yaml")
	id := OverflowID("tracker-checkout")
	want := policyFor(t, cfg, "tracker-checkout")
	if want.FailingRequired == 1 {
		t.Fatal("the source's own policy opens at once")
	}
	want.FailingRequired = 1
	if got := policyFor(t, cfg, id); got != want {
		t.Errorf("policy %+v, want %+v", got, want)
	}
	if got := cfg.OperatorActionFor(id); !strings.Contains(got, "tracker-checkout") {
		t.Errorf("operator action %q", got)
	}
}

func TestLookUpsBySource(t *testing.T) {
	cfg, _ := load(t, "full.yaml")
	for id, want := range map[string]bool{
		"legacy": true, "legacy/reachability": true, "nobody": false, "nobody/reachability": false,
		"legacy/overflow": true, "nobody/overflow": false, "/overflow": false, "legacy/overflow/reachability": false,
		"": false, "/reachability": false, "legacy/reachability/reachability": false,
	} {
		_, policy := cfg.PolicyFor(id)
		_, owner := cfg.OwnerOf(id)
		action := cfg.OperatorActionFor(id) != ""
		if got := [4]bool{cfg.HasSource(id), policy, owner, action}; got != [4]bool{want, want, want, want} {
			t.Errorf("%q: known, policy, owner, action = %v, want all %v", id, got, want)
		}
	}
	if got := cfg.OperatorActionFor("tracker-checkout"); !strings.HasPrefix(got, "Open the issue") {
		t.Errorf("operator action %q", got)
	}
}
