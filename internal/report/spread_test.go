package report

import (
	"encoding/json"
	"testing"
	"time"
)

// TestSpreadIsByNearestRank: a percentile is the smallest value that so many do not
// exceed, whatever their order.
func TestSpreadIsByNearestRank(t *testing.T) {
	from := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for n, want := range map[int]Spread{
		0:   {},
		1:   {N: 1, P50: 1, P95: 1, Max: 1},
		2:   {N: 2, P50: 1, P95: 2, Max: 2},
		20:  {N: 20, P50: 10, P95: 19, Max: 20},
		21:  {N: 21, P50: 11, P95: 20, Max: 21},
		100: {N: 100, P50: 50, P95: 95, Max: 100},
	} {
		var s sample
		for i := range n {
			s.add(from, from.Add(time.Duration(n-i)*time.Second))
		}
		if got := s.spread(); got != want {
			t.Errorf("of 1 to %d: %+v, want %+v", n, got, want)
		}
	}
	for want, s := range map[string]sample{
		`{"n":0,"p50_seconds":null,"p95_seconds":null,"max_seconds":null}`: nil,
		`{"n":1,"p50_seconds":0,"p95_seconds":0,"max_seconds":0}`:          {0},
	} {
		if got, err := json.Marshal(s.spread()); err != nil || string(got) != want {
			t.Errorf("as JSON %s (%v), want %s", got, err, want)
		}
	}
	odd := sample{1473 * time.Millisecond}
	if got := odd.spread(); got != (Spread{N: 1, P50: 1.473, P95: 1.473, Max: 1.473}) {
		t.Errorf("of 1473 ms: %+v", got)
	}
	var s sample
	s.add(from, time.Time{})
	s.add(time.Time{}, from)
	s.add(from.Add(time.Second), from)
	if got := s.spread(); got != (Spread{N: 1}) {
		t.Errorf("of what is not known, and of less than nothing: %+v", got)
	}
}
