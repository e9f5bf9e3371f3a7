package invoke

import (
	"bytes"
	"strings"
	"testing"
)

func TestASlowStartIsNamed(t *testing.T) {
	var out bytes.Buffer
	starts := map[string][]float64{
		"poll": {13, 12, 14}, empty("poll"): {10, 10, 10},
		"decide": {14, 13, 15}, empty("decide"): {10, 10, 10},
		// One start that met a busy machine says nothing.
		"sweep": {12, 60, 12}, empty("sweep"): {10, 11, 10},
	}
	slow := Options{Out: &out}.compare(starts, []Event{{Function: "poll"}, {Function: "decide"}, {Function: "sweep"}}, 1.3)
	if len(slow) != 1 || slow[0].Function != "decide" {
		t.Errorf("slow: %v", slow)
	}
	if got := out.String(); strings.Count(got, "too slow") != 1 || !strings.Contains(got, "1.40 times the 10.0 ms") {
		t.Errorf("printed %s", got)
	}
}
