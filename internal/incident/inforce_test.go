package incident

import (
	"fmt"
	"testing"
	"time"
)

func TestInForce(t *testing.T) {
	at := func(n int) time.Time { return time.Date(2026, 1, 2, 12, n, 0, 0, time.UTC) }
	var s State
	for _, c := range []struct {
		source  string
		minute  int
		policy  string
		changed bool
	}{
		{"a", 1, "p", true},
		{"a", 2, "p", false},
		{"b", 2, "q", true},
		{"a", 3, "q", true},
		{"a", 4, "p", true},
		{"b", 5, "q", false},
	} {
		before := s
		var changed bool
		if s, changed = s.Under(c.source, at(c.minute), c.policy); changed != c.changed {
			t.Errorf("%+v: changed %v", c, changed)
		}
		if changed && len(s.Policies) != len(before.Policies)+1 {
			t.Errorf("%+v: %v became %v", c, before.Policies, s.Policies)
		}
	}
	got := ""
	for n := range 6 {
		for _, source := range []string{"a", "b"} {
			policy, known := s.InForceAt(source, at(n))
			if known != (policy != "") {
				t.Errorf("%s at %d: %q, %v", source, n, policy, known)
			}
			got += policy + ","
		}
	}
	if want := ",,p,,p,q,q,q,p,q,p,q,"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The list of policies is bounded and holds the newest. Earlier copies of the state are
// not modified.
func TestInForceIsBounded(t *testing.T) {
	var s State
	at := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for n := range 3 * maxInForce {
		before := fmt.Sprint(s.Policies)
		next, changed := s.Under("a", at.Add(time.Duration(n)*time.Minute), fmt.Sprint("p", n))
		if !changed || fmt.Sprint(s.Policies) != before || next.Forgets() != (n+1 >= maxInForce) {
			t.Fatalf("%d: %v became %v", n, before, next.Policies)
		}
		s = next
	}
	if got, _ := s.InForceAt("a", at.Add(time.Hour)); len(s.Policies) != maxInForce || got != fmt.Sprint("p", 3*maxInForce-1) {
		t.Errorf("%d are remembered, the last is %s", len(s.Policies), got)
	}
	if _, known := s.InForceAt("a", at); known {
		t.Error("the first is still known")
	}
}
