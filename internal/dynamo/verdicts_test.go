package dynamo_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/enginetest"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestALongHistoryIsReadWholeAndInOrder: however dense it is where, and whatever
// a page holds, it is what a plain reading gives.
func TestALongHistoryIsReadWholeAndInOrder(t *testing.T) {
	s := dynamo.New(dynamodb.NewFromConfig(enginetest.Config()), enginetest.Stack(t))
	for key, minutes := range map[string]func(n int) int{
		"steady":             func(n int) int { return n },
		"dense at first":     func(n int) int { return n * n },
		"dense at the end":   func(n int) int { return 3600 - (60-n)*(60-n) },
		"with a gap of days": func(n int) int { return n + n/20*5000 },
		"of one tick":        func(int) int { return 0 },
	} {
		var want []string
		for n := range 60 {
			for _, source := range []string{"a", "a/reachability", "b"} {
				o := observation.Observation{
					IncidentKey: key, Source: source, Verdict: observation.Failing,
					Tick: now.Truncate(time.Minute).Add(time.Duration(minutes(n)) * time.Minute),
				}
				created, err := s.PutObservation(t.Context(), o, time.Time{})
				fatal(t, err)
				if created {
					want = append(want, o.ID())
				}
			}
		}
		slices.Sort(want)
		for _, page := range []int32{1, 2, 7, 60, 179, 180, 1000} {
			s.SetVerdictsPage(page)
			var got []string
			fatal(t, s.Verdicts(t.Context(), key, func(o observation.Observation) error {
				got = append(got, o.ID())
				return nil
			}))
			if !slices.Equal(got, want) {
				t.Errorf("%s, by %d: %d rows, want %d", key, page, len(got), len(want))
			}
		}
		enough := errors.New("enough")
		read := 0
		err := s.Verdicts(t.Context(), key, func(observation.Observation) error {
			read++
			return enough
		})
		if !errors.Is(err, enough) || read != 1 {
			t.Errorf("%s: %v after %d rows", key, err, read)
		}
	}
}
