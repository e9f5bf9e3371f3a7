package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/enginetest"
)

// A history is what concurrent clients asked for and were told, with the time of
// each question and answer. It is linearizable when there is one order of single
// steps, within those times, that explains every answer.

const (
	clients   = 6
	questions = 20
	histories = 8
)

// record lets clients loose on one row and returns the history.
func record(t *testing.T, ask func(client int, r *rand.Rand) (input, output any)) []porcupine.Operation {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	var (
		mu      sync.Mutex
		history []porcupine.Operation
		wg      sync.WaitGroup
	)
	began := time.Now()
	for c := range clients {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(c)))
			for range questions {
				call := time.Since(began).Nanoseconds()
				in, out := ask(c, r)
				back := time.Since(began).Nanoseconds()
				mu.Lock()
				history = append(history, porcupine.Operation{ClientId: c, Input: in, Call: call, Output: out, Return: back})
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return history
}

func linearizable(t *testing.T, m porcupine.Model, history []porcupine.Operation) {
	t.Helper()
	if got := porcupine.CheckOperationsTimeout(m, history, time.Minute); got != porcupine.Ok {
		t.Errorf("a history of %d operations is judged %s", len(history), got)
	}
}

// rowAsk and rowAnswer are about an incident's row: without a version it is read.
type rowAsk struct {
	write   bool
	version int64
}

type rowAnswer struct {
	version int64
	done    bool
}

var incidentRow = porcupine.Model{
	Init: func() any { return int64(0) },
	Step: func(state, input, output any) (bool, any) {
		at, in, out := state.(int64), input.(rowAsk), output.(rowAnswer)
		switch {
		case !in.write:
			return out.version == at, at
		case out.done:
			return in.version == at, at + 1
		default:
			return in.version != at, at
		}
	},
}

func TestTheIncidentRowIsLinearizable(t *testing.T) {
	s := dynamo.New(dynamodb.NewFromConfig(enginetest.Config()), enginetest.Stack(t))
	won := 0
	for n := range histories {
		key := fmt.Sprintf("k1/error/row=%d", n)
		newest := make([]int64, clients)
		history := record(t, func(c int, r *rand.Rand) (any, any) {
			if r.IntN(3) == 0 {
				states, err := s.States(t.Context(), []string{key})
				if err != nil {
					t.Error(err)
				}
				newest[c] = states[key].Version
				return rowAsk{}, rowAnswer{version: newest[c]}
			}
			in := rowAsk{write: true, version: newest[c]}
			done := saved(t, s, key, in.version, r.IntN(2) == 0)
			if done {
				newest[c]++
			}
			return in, rowAnswer{done: done}
		})
		for _, op := range history {
			if op.Output.(rowAnswer).done {
				won++
			}
		}
		linearizable(t, incidentRow, history)
	}
	t.Logf("%d histories with %d writes that won", histories, won)
}

// saved saves or commits over a version until the store says yes or no.
func saved(t *testing.T, s *dynamo.Store, key string, version int64, commit bool) bool {
	for {
		state := incident.State{Key: key, Version: version}
		var err error
		if commit {
			err = s.Commit(context.Background(), state, incident.Decision{IncidentKey: key, Seq: version + 1}, nil)
		} else {
			err = s.Save(context.Background(), state)
		}
		switch {
		case err == nil:
			return true
		case errors.Is(err, incident.ErrConflict):
			return false
		case !errors.Is(err, incident.ErrBusy):
			t.Error(err)
			return false
		}
	}
}
