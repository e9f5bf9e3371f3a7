package report

import (
	"math"
	"slices"
	"time"
)

// Spread is a distribution of times, in seconds. P50 and P95 are by nearest rank:
// the smallest value that half, or 95 in 100, of all are not above. All are zero
// when there is no value.
type Spread struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50_seconds"`
	P95 float64 `json:"p95_seconds"`
	Max float64 `json:"max_seconds"`
}

// sample collects times, eight bytes each.
type sample []time.Duration

// add takes the time between two moments. Clocks of two machines may differ: what
// seems to have taken less than nothing took none.
func (s *sample) add(from, to time.Time) {
	if from.IsZero() || to.IsZero() {
		return
	}
	*s = append(*s, max(0, to.Sub(from)))
}

func (s sample) spread() Spread {
	if len(s) == 0 {
		return Spread{}
	}
	slices.Sort(s)
	at := func(p float64) float64 {
		rank := int(math.Ceil(p * float64(len(s))))
		return s[max(rank, 1)-1].Seconds()
	}
	return Spread{N: len(s), P50: at(0.50), P95: at(0.95), Max: s[len(s)-1].Seconds()}
}
