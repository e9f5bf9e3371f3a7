package faults_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

// renewed is after how many schedules the engine begins anew.
const renewed = 25

// TestOnTheRealEngine plays some of the pairs against DynamoDB's own words: a
// table's conditions and transactions instead of the memory's.
func TestOnTheRealEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("starts an engine")
	}
	first := *seedFlag
	if first == 0 {
		first = seeds()
	}
	schedules := *onEngine
	if *seedFlag != 0 {
		schedules = 1
	}
	t.Logf("seeds from %d; replay one with -seed", first)
	for i := range schedules {
		if i%renewed == renewed-1 {
			enginetest.Renew(t)
		}
		seed := first + uint64(i)
		r := rand.New(rand.NewPCG(seed, 0))
		all := slices.Concat(stories, further)
		s := all[r.IntN(len(all))]
		places := placesOf(s)
		faults := drawPair(r, places)
		db := dynamo.New(dynamodb.NewFromConfig(enginetest.Config()), enginetest.Stack(t))
		if report(t, play(s, db, faults), fmt.Sprintf("%q on the engine, -seed %d", s.name, seed)); t.Failed() {
			return
		}
	}
}
