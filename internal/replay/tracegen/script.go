package main

import (
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

const (
	failing = observation.Failing
	healthy = observation.Healthy
	unknown = observation.Unknown
	// silent writes no row at all: nobody polled.
	silent = observation.Verdict("")
)

// script is one source's reports on one key, written tick by tick.
type script struct {
	rows  []trace.Row
	row   trace.Row
	now   time.Time
	every time.Duration
}

func newScript(kind, service, source, owner string, start time.Time, every time.Duration) *script {
	parts := []observation.Part{{Name: "service", Value: service}}
	key, err := incident.Key(kind, parts)
	if err != nil {
		panic(fmt.Sprintf("the story's own key: %v", err))
	}
	s := &script{now: start, every: every}
	s.row.Observation = observation.Observation{IncidentKey: key, Source: source, Owner: owner}
	return s
}

// say writes n ticks of one verdict while the truth is as given.
func (s *script) say(n int, truth, verdict observation.Verdict) {
	for range n {
		if verdict != silent {
			r := s.row
			r.Tick, r.Verdict, r.Truth = s.now, verdict, truth
			s.rows = append(s.rows, r)
		}
		s.now = s.now.Add(s.every)
	}
}

// mostly writes n ticks, each with the verdict or, in the given percentage, with the
// other one.
func (s *script) mostly(n int, truth, verdict, other observation.Verdict, percent int, r *random) {
	for range n {
		v := verdict
		if r.below(100) < percent {
			v = other
		}
		s.say(1, truth, v)
	}
}

// random is SplitMix64 (Steele, Lea and Flood, 2014): small, and the same everywhere
// forever, which a library's generator does not promise.
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// below returns a number from 0 to n−1; the bias of the remainder does not matter
// here.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// between returns a number from first to last, both included.
func (r *random) between(first, last int) int { return first + r.below(last-first+1) }
