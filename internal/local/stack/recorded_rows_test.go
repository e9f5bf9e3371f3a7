package stack

import (
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// The rows below tell one story over the example configuration: checkout fails
// at two ticks, payments recovers.

func observed(source string, at time.Time, v observation.Verdict) observation.Observation {
	o := observation.Observation{
		Kind: "error", Source: source, Tick: at, Verdict: v, ObservedAt: at.Add(800 * time.Millisecond),
	}
	switch source {
	case "sentry-checkout":
		o.Parts = []observation.Part{{Name: "project", Value: "checkout"}, {Name: "group", Value: "6507376925"}}
		o.Owner, o.Status, o.Summary = "checkout", "unresolved", "TypeError: cannot read total of undefined"
		o.Evidence = observation.Evidence{
			FirstSeen: at.Add(-26 * time.Minute), LastSeen: at.Add(-14 * time.Second), Count: 133,
			Link: "https://sentry.example.com/organizations/shop/issues/6507376925/", VendorID: "6507376925",
			Stage: "production", Deployment: "checkout@4.18.2", CorrelationID: "9c2e1f", Samples: []string{"POST /basket", "GET /basket/total"},
		}
	default:
		o.Parts = []observation.Part{{Name: "monitor", Value: "88120"}}
		o.Owner, o.Status, o.Summary = "payments", "OK", "Card authorisations per minute"
	}
	o.IncidentKey, _ = incident.Key(o.Kind, o.Parts)
	return o
}

// outbox returns what the decision on an observation tells one destination.
func outbox(o observation.Observation, a incident.Action, sequence int, destination, channel, costCenter string) delivery.Delivery {
	d := delivery.Delivery{
		ID:          delivery.ID("", o.IncidentKey, 1, sequence, destination),
		IncidentKey: o.IncidentKey, Episode: 1, Sequence: sequence, Action: a,
		Destination: destination, Channel: channel, Owner: o.Owner, CostCenter: costCenter, Source: o.Source,
		Tick: o.Tick, CreatedAt: o.ObservedAt, State: delivery.Pending, DueAt: o.ObservedAt,
	}
	d.Notice = notice.Notice{
		Action: a, Environment: "production", Kind: o.Kind, Summary: o.Summary, Source: o.Source,
		Owner: o.Owner, CostCenter: costCenter, OperatorAction: "Roll back the last deployment.",
		Since: tick, Tick: o.Tick, Why: "opened after 1 failing poll", Evidence: notice.FromEvidence(o.Evidence),
		IncidentKey: o.IncidentKey, Episode: 1, Sequence: sequence, DeliveryID: d.ID,
	}
	if a == incident.Open {
		d.Notice.NextReminder = o.Tick.Add(30 * time.Minute)
	} else {
		d.Notice.Until, d.Notice.Why = o.Tick, "recovered for 2 polls in a row"
	}
	// What channels render has goldens of its own; here it is only carried.
	d.Payload = []byte(`{"text":"` + string(a) + `: ` + o.Summary + `"}`)
	return d
}

// decided returns the state and decision that go with outbox items.
func decided(o observation.Observation, a incident.Action, version int64) (incident.State, incident.Decision) {
	s := incident.State{Key: o.IncidentKey, Version: version, DecisionSeq: version + 1, Episode: 1, Open: a == incident.Open, Kind: o.Kind, Source: o.Source, Owner: o.Owner}
	d := incident.Decision{IncidentKey: o.IncidentKey, Seq: version + 1, Episode: 1, Sequence: int(version) + 1, Action: a, Tick: o.Tick, Source: o.Source, DecidedAt: o.ObservedAt}
	return s, d
}
