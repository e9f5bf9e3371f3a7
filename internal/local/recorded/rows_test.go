package recorded

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// TestRows wants the rows key by key and, within a tick, failing first, which is the
// order in which a batch is folded.
func TestRows(t *testing.T) {
	store := memory.New()
	for _, key := range []string{"k2", "k1"} {
		if err := store.Save(t.Context(), incident.State{Key: key}); err != nil {
			t.Fatal(err)
		}
		for minute := range 2 {
			for source, v := range map[string]observation.Verdict{"a": observation.Healthy, "b": observation.Failing} {
				o := observation.Observation{IncidentKey: key, Source: source, Tick: noon.Add(time.Duration(minute) * time.Minute), Verdict: v}
				if _, err := store.PutObservation(t.Context(), o, time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	const want = "k1:0b k1:0a k1:1b k1:1a k2:0b k2:0a k2:1b k2:1a"
	for enough := range 9 {
		var got []string
		for row, err := range Rows(t.Context(), store) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s:%d%s", row.IncidentKey, row.Tick.Minute(), row.Source))
			if len(got) == enough {
				break
			}
		}
		if told := strings.Join(got, " "); !strings.HasPrefix(want, told) || enough > 0 && len(got) != enough {
			t.Errorf("the first %d: %s", enough, told)
		}
	}
}
