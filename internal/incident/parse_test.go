package incident

import "testing"

// ParseReason recovers every reason from its String.
func TestReasonsAreReadBack(t *testing.T) {
	for _, c := range Codes() {
		if got := ParseReason(c.Form).String(); got != c.Form {
			t.Errorf("%s is read as %s", c.Form, got)
		}
	}
	if r := ParseReason("ack by=Ann Other=1"); r.By != "Ann Other=1" {
		t.Errorf("a name with a blank is read as %q", r.By)
	}
}
