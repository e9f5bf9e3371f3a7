package report

import "testing"

// TestWhatHasNoVendor: an incident without a vendor needs no link.
func TestWhatHasNoVendor(t *testing.T) {
	for source, want := range map[string]bool{"sentry": false, "sentry/reachability": true, "sentry/overflow": true, "smoke:slack": true, "smoke": false} {
		if got := hasNoVendor(source); got != want {
			t.Errorf("%s: %v, want %v", source, got, want)
		}
	}
}
