package report

import (
	"encoding/json"
	"math"
	"slices"
	"time"
)

// Spread is a distribution of times, in seconds. P50 and P95 are by nearest rank: the
// smallest value that at least 50, or 95, in 100 values do not exceed. Without values
// all are zero, and null as JSON, because zero would be a time.
type Spread struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50_seconds"`
	P95 float64 `json:"p95_seconds"`
	Max float64 `json:"max_seconds"`
}

// MarshalJSON writes the times as null if there is no value.
func (s Spread) MarshalJSON() ([]byte, error) {
	known := func(v float64) *float64 {
		if s.N == 0 {
			return nil
		}
		return &v
	}
	return json.Marshal(struct {
		N   int      `json:"n"`
		P50 *float64 `json:"p50_seconds"`
		P95 *float64 `json:"p95_seconds"`
		Max *float64 `json:"max_seconds"`
	}{s.N, known(s.P50), known(s.P95), known(s.Max)})
}

// sample collects times, eight bytes each.
type sample []time.Duration

// add adds the time between two moments, if both are known. The clocks of two machines
// may differ: a negative time counts as zero.
func (s *sample) add(from, to time.Time) {
	if from.IsZero() || to.IsZero() {
		return
	}
	*s = append(*s, max(0, to.Sub(from)))
}

// spread returns the distribution of a sample, and sorts it.
func (s sample) spread() Spread {
	if len(s) == 0 {
		return Spread{}
	}
	slices.Sort(s)
	at := func(p float64) float64 {
		rank := int(math.Ceil(p * float64(len(s))))
		return seconds(s[max(rank, 1)-1])
	}
	return Spread{N: len(s), P50: at(0.50), P95: at(0.95), Max: seconds(s[len(s)-1])}
}

// seconds returns the number of seconds that is nearest to a time. Duration.Seconds adds
// two numbers and may be off in the last digit: 1.4729999999999999 for 1473 ms.
func seconds(d time.Duration) float64 { return float64(d) / float64(time.Second) }
