package incident

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// TestArrivals checks that observations in tick order are returned in the order in which
// they were written, and failing first among those of one tick that were written together.
func TestArrivals(t *testing.T) {
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	type observed struct {
		source  string
		tick    int
		written time.Duration
		verdict observation.Verdict
	}
	const f, h = observation.Failing, observation.Healthy
	for name, c := range map[string]struct {
		all  []observed
		want string
	}{
		"nothing":                            {nil, ""},
		"in tick order":                      {[]observed{{"a", 0, 1 * time.Second, h}, {"b", 0, 2 * time.Second, f}, {"a", 1, 61 * time.Second, f}}, "b0 a0 | a1"},
		"without ObservedAt":                 {[]observed{{"a", 0, 0, h}, {"b", 0, 0, f}, {"a", 1, 0, f}}, "b0 a0 | a1"},
		"late within its tick":               {[]observed{{"a", 0, 1 * time.Second, h}, {"b", 0, 40 * time.Second, f}}, "a0 b0"},
		"late by a tick":                     {[]observed{{"a", 0, 1 * time.Second, h}, {"b", 0, 65 * time.Second, f}, {"a", 1, 61 * time.Second, f}, {"a", 2, 121 * time.Second, f}}, "a0 | a1 b0 | a2"},
		"late, between two of the next tick": {[]observed{{"b", 0, 65 * time.Second, f}, {"a", 1, 61 * time.Second, h}, {"c", 1, 70 * time.Second, f}}, "a1 b0 c1"},
		"late by two ticks":                  {[]observed{{"b", 0, 130 * time.Second, f}, {"a", 1, 61 * time.Second, f}, {"a", 2, 121 * time.Second, f}}, "a1 | a2 b0"},
		"after its own source's next tick":   {[]observed{{"a", 0, 100 * time.Second, f}, {"a", 1, 61 * time.Second, f}}, "a1 a0"},
	} {
		t.Run(name, func(t *testing.T) {
			var a Arrivals
			var got []string
			note := func(batch []observation.Observation) {
				var text []string
				for _, o := range batch {
					if a.Holds(o.Source, o.Tick) {
						t.Errorf("%s%d was returned and is still held", o.Source, o.Tick.Minute())
					}
					text = append(text, fmt.Sprint(o.Source, o.Tick.Minute()))
				}
				if len(batch) > 0 {
					got = append(got, strings.Join(text, " "))
				}
			}
			for _, x := range c.all {
				o := observation.Observation{Source: x.source, Tick: noon.Add(time.Duration(x.tick) * time.Minute), Verdict: x.verdict}
				if x.written > 0 {
					o.ObservedAt = noon.Add(x.written)
				}
				note(a.Take(o))
				if !a.Holds(o.Source, o.Tick) {
					t.Errorf("%s%d is not held", x.source, x.tick)
				}
			}
			for batch := range a.Rest() {
				note(batch)
			}
			if order := strings.Join(got, " | "); order != c.want {
				t.Errorf("got %s, want %s", order, c.want)
			}
		})
	}
}
