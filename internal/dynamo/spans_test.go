package dynamo

import (
	"fmt"
	"testing"
	"time"
)

// TestCutCoversEverything: spans follow each other without a gap or an overlap,
// however ticks and lengths fall.
func TestCutCoversEverything(t *testing.T) {
	from := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	rest := span{"2026-03-01T12:00:00Z#vendor ", lastID(time.Time{})}
	for _, c := range []struct {
		to     time.Duration
		length time.Duration
		want   int
	}{
		{0, time.Minute, 1},
		{time.Second, time.Hour, 1},
		{59 * time.Minute, time.Hour, 1},
		{10 * time.Hour, time.Hour, 11},
		{3 * time.Second, time.Millisecond, 3},
		{1000 * time.Hour, time.Minute, maxSpans},
	} {
		spans := cut(rest, from, from.Add(c.to), c.length)
		name := fmt.Sprintf("%s in parts of %s", c.to, c.length)
		if len(spans) != c.want || spans[0].from != rest.from || spans[len(spans)-1].to != rest.to {
			t.Errorf("%s: %d spans, want %d: %v", name, len(spans), c.want, spans)
		}
		for i, sp := range spans {
			if sp.from >= sp.to || i > 0 && sp.from != spans[i-1].to {
				t.Errorf("%s: span %d is %v", name, i, sp)
			}
		}
	}
}
