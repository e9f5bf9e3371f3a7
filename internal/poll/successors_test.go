package poll

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// asked counts the reads of poll runs.
type asked struct {
	Store
	runs  map[string][]observation.Run
	reads int
}

func (a *asked) Runs(_ context.Context, source string, limit int) ([]observation.Run, error) {
	a.reads++
	newest := slices.Clone(a.runs[source])
	slices.Reverse(newest)
	return newest[:min(limit, len(newest))], nil
}

func (a *asked) RunsBetween(_ context.Context, source string, from, to time.Time, yield func(observation.Run) error) error {
	a.reads++
	for _, r := range a.runs[source] {
		if !r.Tick.Before(from) && !r.Tick.After(to) {
			_ = yield(r)
		}
	}
	return nil
}

func TestAnHeirIsNew(t *testing.T) {
	at := func(tick, started time.Duration) observation.Run {
		noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		return observation.Run{Tick: noon.Add(tick), Started: noon.Add(started), Ended: noon.Add(started + 3*time.Second)}
	}
	const minute, hour, second = time.Minute, time.Hour, time.Second
	gone := []observation.Run{at(-minute, -minute), at(0, 0)}
	for name, tt := range map[string]struct {
		interval time.Duration
		removed  []observation.Run
		heir     []observation.Run
		want     bool
	}{
		"polled since":                                {minute, gone, []observation.Run{at(minute, minute)}, true},
		"never polled":                                {minute, gone, nil, true},
		"polled in the same invocation":               {minute, gone, []observation.Run{at(0, second), at(minute, minute)}, false},
		"its run of that tick was run again":          {minute, gone, []observation.Run{at(-minute, -minute), at(0, minute)}, false},
		"its last run was lost":                       {minute, gone, []observation.Run{at(-2*minute, -2*minute)}, false},
		"polled the day before":                       {minute, gone, []observation.Run{at(-24*hour, -24*hour)}, true},
		"an hourly one that is new has an older tick": {hour, gone, []observation.Run{at(0, minute)}, true},
		"an hourly one that was there":                {hour, gone, []observation.Run{at(-hour, -hour)}, false},
		"the removed one's runs have expired":         {minute, nil, []observation.Run{at(minute, minute)}, false},
	} {
		store := &asked{runs: map[string][]observation.Run{"gone": tt.removed, "heir": tt.heir}}
		src := config.Source{ID: "heir", Kind: "alert", Interval: tt.interval}
		src.Map.Key = []config.KeyPart{{Name: "alert"}}
		h := newSuccessors(&config.Config{Sources: []config.Source{src}}, store)
		for n := range 100 {
			k, err := h.adopt(t.Context(), incident.Active{Key: fmt.Sprintf("k1/alert/alert=%d", n), Sources: []string{"gone", "older"}})
			if err != nil || slices.Contains(k.Sources, "heir") != tt.want {
				t.Fatalf("%s: %v %v, want it adopted: %v", name, k.Sources, err, tt.want)
			}
		}
		if store.reads > 3 {
			t.Errorf("%s: %d reads for 100 keys of two removed sources", name, store.reads)
		}
	}
}
