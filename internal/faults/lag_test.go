package faults_test

import (
	"math/rand/v2"

	"github.com/ringonce/ringonce/internal/memory"
)

// lag keeps the indexes of a store behind its tables, by chance, until it is over.
type lag struct {
	chance *rand.Rand
	over   bool
}

func (l *lag) late() bool { return !l.over && l.chance.IntN(2) == 0 }

// lagging is a store whose indexes lag.
type lagging struct {
	*memory.Store
	lag *lag
}

// maybeLagging is an empty store, of which every second one lags.
func maybeLagging(seed uint64) store {
	if seed%2 == 0 {
		return memory.New()
	}
	l := &lag{chance: rand.New(rand.NewPCG(seed, 2))}
	return lagging{memory.New(memory.LagIndexes(l.late)), l}
}
