package dynamo

import (
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

const exampleKey = "k1/error/project=checkout/issue=42"

var (
	exampleTick  = time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)
	exampleTime  = exampleTick.Add(2250 * time.Millisecond)
	exampleParts = []observation.Part{{Name: "project", Value: "checkout"}, {Name: "issue", Value: "42"}}
)

func exampleEvidence() observation.Evidence {
	return observation.Evidence{
		FirstSeen: exampleTick.Add(-time.Hour), LastSeen: exampleTick.Add(-time.Second), Count: 7,
		Link: "https://vendor.example/issues/42", VendorID: "42", Stage: "prod", Samples: []string{"boom"},
	}
}

func exampleObservation() observation.Observation {
	return observation.Observation{
		IncidentKey: exampleKey, Kind: "error", Parts: exampleParts, Source: "sentry", Tick: exampleTick,
		Verdict: observation.Failing, Status: "unresolved", Owner: "economy", Summary: "boom",
		Evidence: exampleEvidence(), ObservedAt: exampleTime,
	}
}

func exampleRun() observation.Run {
	return observation.Run{
		Source: "sentry", Tick: exampleTick, State: observation.RunPartial, Worker: "w1",
		LeaseUntil: exampleTime.Add(time.Minute), Started: exampleTime, Ended: exampleTime.Add(time.Second),
		Requests: 2, Retries: 1, Waited: 1500 * time.Millisecond, Items: 3, Failing: 1, Healthy: 1, Unknown: 1,
		Written: 2, Problems: []string{"page 2: 502"},
	}
}

func exampleState() incident.State {
	return incident.State{
		Key: exampleKey, Version: 3, DecisionSeq: 1, Episode: 1, Open: true, Sequence: 1, FailingStreak: 2,
		LastFailing: exampleTick, StreakStart: exampleTick, OpenedAt: exampleTick, LastNotified: exampleTick,
		RecentOpens: []time.Time{exampleTick}, Told: []string{"slack"}, Title: "boom",
		Sources: map[string]incident.SourceVerdict{
			"sentry":  {Verdict: observation.Failing, Tick: exampleTick, Until: exampleTick.Add(time.Hour)},
			"datadog": {Verdict: observation.Healthy, Tick: exampleTick.Add(-time.Minute)},
		},
		Kind: "error", Parts: exampleParts, Source: "sentry", Owner: "economy", Summary: "boom", Evidence: exampleEvidence(),
	}
}

func exampleDecision() incident.Decision {
	return incident.Decision{
		IncidentKey: exampleKey, Seq: 1, Episode: 1, Sequence: 1, Action: incident.Open, Reason: "failing_streak 1/1",
		Tick: exampleTick, Source: "sentry", To: []string{"slack"}, PolicyHash: "p1-0", ConfigHash: "c1-0", DecidedAt: exampleTime,
	}
}

func exampleDelivery() delivery.Delivery {
	lease := exampleTime.Add(time.Minute)
	return delivery.Delivery{
		ID: "d1-0", IncidentKey: exampleKey, Episode: 1, Sequence: 1, Action: incident.Open, Destination: "slack",
		Channel: "slack_webhook", Owner: "economy", CostCenter: "cc-1", Source: "sentry", Tick: exampleTick,
		CreatedAt: exampleTime, Payload: []byte(`{"text":"boom"}`),
		State: delivery.Sending, Fence: 2, LeaseOwner: "w2", LeaseUntil: lease, DueAt: lease,
		Attempts: []delivery.Attempt{
			{
				Number: 1, Worker: "w1", Started: exampleTime, Ended: exampleTime.Add(time.Second),
				Class: delivery.RateLimited, Status: 429, Code: "rate_limited",
			},
			{Number: 2, Worker: "w2", Started: exampleTime.Add(time.Minute)},
		},
	}
}
