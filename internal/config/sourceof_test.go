package config

import "testing"

func TestSourceOf(t *testing.T) {
	c := &Config{Sources: []Source{{ID: "sentry"}}}
	for id, want := range map[string]bool{"sentry": true, ReachabilityID("sentry"): true, "other": false, ReachabilityID("other"): false} {
		if src, ok := c.SourceOf(id); ok != want || (ok && src.ID != "sentry") {
			t.Errorf("%s: %q, %v", id, src.ID, ok)
		}
	}
}
