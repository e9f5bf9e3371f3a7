package storetest

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

var forgetChecks = []check{{"what is forgotten leaves its deliveries and other keys", forget}}

func forget(t *testing.T, s Store) {
	for _, key := range []string{"k", "k2"} {
		inserted(t, s, pending(key, 1, "slack", at(10)))
		for minute := range 3 {
			must(s.PutObservation(ctx, observation.Observation{IncidentKey: key, Source: "s", Tick: at(10, minute), Verdict: observation.Failing}, time.Time{}))(t)
		}
	}
	before := len(must(s.Decisions(ctx, "k"))(t))
	equal(t, "rows", must(s.Forget(ctx, "k"))(t), 3+before+1)
	equal(t, "rows, once more", must(s.Forget(ctx, "k"))(t), 0)
	left := map[string]int{}
	ok(t, s.ObservationsSince(ctx, at(9), func(o observation.Observation, _ error) error { left[o.IncidentKey]++; return nil }))
	equal(t, "observations", left, map[string]int{"k2": 3})
	ok(t, s.Incidents(ctx, func(st incident.State) error { left[st.Key]++; return nil }))
	equal(t, "with states", left, map[string]int{"k2": 4})
	equal(t, "decisions", len(must(s.Decisions(ctx, "k"))(t)), 0)
	equal(t, "deliveries", len(must(s.Episode(ctx, "k", 1))(t)), 1)
}
