package dynamo

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestAnUnchangedKeyIsTwoWriteUnits: DynamoDB counts writes by the KB, begun ones
// whole. The README's cost of a failing key rests on one for its evidence and one
// for its state, as of a key with all the evidence that there is in few words.
func TestAnUnchangedKeyIsTwoWriteUnits(t *testing.T) {
	const unit = 1 << 10
	at := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	o := observation.Observation{
		IncidentKey: "k1/error/project=checkout/group=6507376925", Kind: "error", Source: "sentry-checkout",
		Parts:   []observation.Part{{Name: "project", Value: "checkout"}, {Name: "group", Value: "6507376925"}},
		Verdict: observation.Failing, Owner: "checkout", Status: "unresolved", Summary: "TypeError: cannot read total of undefined",
		Evidence: observation.Evidence{
			FirstSeen: at, LastSeen: at, Count: 133, Link: "https://sentry.example.com/organizations/shop/issues/6507376925/",
			VendorID: "6507376925", Stage: "production", Deployment: "checkout@4.18.2", CorrelationID: "9c2e1f",
			Samples: []string{"POST /basket", "GET /basket/total"},
		},
	}
	state := incident.State{Key: o.IncidentKey}
	for range 2 {
		at = at.Add(time.Minute)
		o.Tick, o.ObservedAt = at, at
		state, _, _ = incident.Decide(state, o, incident.DefaultPolicy())
	}
	state, _ = state.Under(o.Source, at, incident.DefaultPolicy().Hash())
	state.Told = []string{"mail-checkout", "slack-checkout"}
	evidence, err := observationItem(o, at)
	if size := itemSize(evidence); err != nil || size > unit {
		t.Errorf("the evidence is %d bytes, %v", size, err)
	}
	row, err := stateItem(state)
	if size := itemSize(row); err != nil || size > unit {
		t.Errorf("the state is %d bytes, %v", size, err)
	}
}
