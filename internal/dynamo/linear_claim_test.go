package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/enginetest"
)

// claimAsk is a claim at a second of the test's own clock, with a lease until
// another one; or, with a fence, a settlement that puts the item back.
type claimAsk struct {
	fence, now, until int64
}

type claimAnswer struct {
	fence int64
	done  bool
}

// leased is an item: who claimed it last, and when it may be claimed next.
type leased struct {
	fence, due int64
	sending    bool
}

var claimedItem = porcupine.Model{
	Init: func() any { return leased{} },
	Step: func(state, input, output any) (bool, any) {
		at, in, out := state.(leased), input.(claimAsk), output.(claimAnswer)
		if in.fence > 0 {
			if ours := at.sending && at.fence == in.fence; out.done != ours {
				// Settling once more what is settled alike is no error.
				return out.done && !at.sending && at.fence == in.fence, at
			}
			if !out.done {
				return true, at
			}
			return true, leased{fence: at.fence, due: in.now}
		}
		if may := at.due <= in.now; !out.done || !may {
			return !out.done && !may, at
		}
		return out.fence == at.fence+1, leased{fence: out.fence, due: in.until, sending: true}
	},
}

func TestTheClaimIsLinearizable(t *testing.T) {
	s := dynamo.New(dynamodb.NewFromConfig(enginetest.Config()), enginetest.Stack(t))
	second := func(n int64) time.Time {
		return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Second)
	}
	won := 0
	for n := range histories {
		d := delivery.Delivery{
			ID: fmt.Sprint(n), IncidentKey: fmt.Sprintf("k1/error/claim=%d", n), Episode: 1, Sequence: 1, Action: incident.Open,
			Destination: "slack", State: delivery.Pending, DueAt: second(0), CreatedAt: second(0),
		}
		if err := s.Commit(t.Context(), incident.State{Key: d.IncidentKey}, incident.Decision{IncidentKey: d.IncidentKey, Seq: 1}, []delivery.Delivery{d}); err != nil {
			t.Fatal(err)
		}
		mine := make([]delivery.Delivery, clients)
		history := record(t, func(c int, r *rand.Rand) (any, any) {
			now := int64(r.IntN(40))
			if mine[c].Fence > 0 && r.IntN(2) == 0 {
				in := claimAsk{fence: mine[c].Fence, now: now}
				back := mine[c]
				back.State, back.DueAt, back.LeaseOwner = delivery.Pending, second(now), ""
				return in, claimAnswer{done: putBack(t, s, back)}
			}
			in := claimAsk{now: now, until: now + int64(r.IntN(10))}
			got, err := s.Claim(t.Context(), d.Ref(), fmt.Sprint("w", c), second(in.now), second(in.until))
			if err != nil {
				if !errors.Is(err, delivery.ErrNotClaimable) {
					t.Error(err)
				}
				return in, claimAnswer{}
			}
			mine[c] = got
			return in, claimAnswer{fence: got.Fence, done: true}
		})
		for _, op := range history {
			if op.Output.(claimAnswer).fence > 0 {
				won++
			}
		}
		linearizable(t, claimedItem, history)
	}
	t.Logf("%d histories with %d claims that won", histories, won)
}

// putBack writes until the store says yes or no.
func putBack(t *testing.T, s *dynamo.Store, d delivery.Delivery) bool {
	for {
		err := s.Settle(context.Background(), d, delivery.Usage{Day: "2026-03-01", DeliveryID: d.ID})
		switch {
		case err == nil:
			return true
		case errors.Is(err, delivery.ErrFenced):
			return false
		case !errors.Is(err, incident.ErrBusy):
			t.Error(err)
			return false
		}
	}
}
