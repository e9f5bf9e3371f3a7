package faults_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// historyOf draws a time line of up to fifteen minutes and what is done about it.
// It fails for three minutes at first, so that two faults cannot hide it whole.
func historyOf(r *rand.Rand) story {
	line := []byte("FFF")
	for range r.IntN(12) {
		line = append(line, "FH"[r.IntN(2)])
	}
	cooldown, healthy := time.Duration(r.IntN(4))*time.Minute, 1+r.IntN(2)
	s := story{
		name: string(line), keys: 1 + 3*r.IntN(2), line: string(line), machine: r.IntN(2) == 0, receipts: r.IntN(2) == 0,
		policy: func(p *incident.Policy) {
			p.Cooldown, p.HealthyRequired = cooldown, healthy
		},
	}
	s.looks = !s.receipts && r.IntN(2) == 0
	s.watched = s.keys == 1 && r.IntN(2) == 0
	if s.keys == 1 && r.IntN(2) == 0 {
		s.moves = 1 + r.IntN(len(line))
	}
	s.enriches = s.keys == 1 && s.moves == 0
	return s
}

// TestCaseR1RandomHistories plays random histories with up to two faults: each open that
// was delivered is followed by one resolve, and all else holds that judge knows. A
// failing one is replayed by its seed.
func TestCaseR1RandomHistories(t *testing.T) {
	first, n := seeds(), *pairs/16
	if *seedFlag != 0 {
		first, n = *seedFlag, 1
	}
	t.Logf("seeds from %d; replay one with -seed", first)
	var got reached
	failures := 0
	for i := range n {
		seed := first + uint64(i)
		r := rand.New(rand.NewPCG(seed, 1))
		s := historyOf(r)
		places := placesOf(s)
		w := play(s, maybeLagging(seed), drawPair(r, places))
		got.add(w)
		report(t, w, fmt.Sprintf("%d of %q, to a machine %v, to a bot %v, watched %v, moved at %d, -seed %d", s.keys, s.name, s.machine, s.looks, s.watched, s.moves, seed))
		if t.Failed() {
			if failures++; failures == 5 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d histories reached %+v", n, got)
}
