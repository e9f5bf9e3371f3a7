package storetest

import (
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

func observed(key, source string, tick time.Time) observation.Observation {
	return observation.Observation{
		IncidentKey: key, Source: source, Tick: tick, Verdict: observation.Failing, Summary: "checkout is down",
	}
}

// pending is an outbox item of the first episode that is due at the given time.
func pending(key string, sequence int, destination string, due time.Time) delivery.Delivery {
	return delivery.Delivery{
		ID:          delivery.ID("", key, 1, sequence, destination),
		IncidentKey: key, Episode: 1, Sequence: sequence, Action: incident.Open, Destination: destination,
		Channel: "slack_webhook", Owner: "economy", CostCenter: "cc-1", Source: "sentry",
		State: delivery.Pending, CreatedAt: due, DueAt: due, Payload: []byte(`{"text":"checkout is down"}`),
	}
}

// inserted commits the items, each with a decision of its own, and returns the
// first one.
func inserted(t tb, s Store, items ...delivery.Delivery) delivery.Delivery {
	t.Helper()
	for _, d := range items {
		state := must(s.States(ctx, []string{d.IncidentKey}))(t)[d.IncidentKey]
		state.Key = d.IncidentKey
		state.DecisionSeq++
		decision := incident.Decision{IncidentKey: d.IncidentKey, Seq: state.DecisionSeq, Action: d.Action}
		ok(t, s.Commit(ctx, state, decision, []delivery.Delivery{d}))
	}
	return items[0]
}

func claimed(t tb, s Store, d delivery.Delivery, worker string, now time.Time) delivery.Delivery {
	t.Helper()
	return must(s.Claim(ctx, d.Ref(), worker, now, now.Add(time.Minute)))(t)
}

// keysOf returns n incident keys, which fall into all shards of an index.
func keysOf(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("k1/error/issue=%03d", i)
	}
	return keys
}
