package incident

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// BenchmarkDecide measures the most common case: an unchanged observation of an open
// incident.
func BenchmarkDecide(b *testing.B) {
	p := policy(func(p *Policy) { p.FlapEpisodes, p.FlapWindow, p.FlapStableTicks = 4, time.Hour, 10 })
	s, o := State{}, observation.Observation{Source: "sentry", Verdict: observation.Failing, Tick: start}
	b.ReportAllocs()
	for b.Loop() {
		s, _, _ = Decide(s, o, p)
		o.Tick = o.Tick.Add(time.Second)
	}
}

func BenchmarkNormalise(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Normalise("GET /users/123456/orders/9f8e7d6c5b from 10.0.12.7 took 1711.36ms at 2026-01-02T03:04:05Z")
	}
}
