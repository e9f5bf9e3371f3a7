package storetest

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// roundTripChecks fail if a field is added to a record and a store does not store it.
var roundTripChecks = []check{
	{"every field of an observation is kept", roundTripObservation},
	{"every field of a state is kept", roundTripState},
	{"every field of a decision is kept", roundTripDecision},
	{"every field of a delivery is kept", roundTripDelivery},
	{"every field of a run is kept", roundTripRun},
	{"every field of usage is counted", roundTripUsage},
	{"zero values are kept", roundTripZero},
}

func roundTripObservation(t *testing.T, s Store) {
	o := filled[observation.Observation](t)
	put(t, s, o)
	equal(t, "observation", read(t, s, o.IncidentKey, time.Time{}, time.Time{}), []observation.Observation{o})
}

func roundTripState(t *testing.T, s Store) {
	saved := filled[incident.State](t)
	saved.Version = 0
	ok(t, s.Save(ctx, saved))
	saved.Version = 1
	equal(t, "saved state", state(t, s, saved.Key), saved)

	ok(t, s.Commit(ctx, saved, incident.Decision{IncidentKey: saved.Key, Seq: 1}, nil))
	saved.Version = 2
	equal(t, "committed state", state(t, s, saved.Key), saved)
	ok(t, s.Incidents(ctx, func(st incident.State) error {
		equal(t, "listed state", st, saved)
		return nil
	}))
}

func roundTripDecision(t *testing.T, s Store) {
	d := filled[incident.Decision](t)
	ok(t, s.Commit(ctx, incident.State{Key: d.IncidentKey}, d, nil))
	equal(t, "decision", must(s.Decisions(ctx, d.IncidentKey))(t), []incident.Decision{d})
}

// filledDelivery numbers its attempts as a ledger does: by their position.
func filledDelivery(t tb) delivery.Delivery {
	d := filled[delivery.Delivery](t)
	for i := range d.Attempts {
		d.Attempts[i].Number = i + 1
	}
	return d
}

func roundTripDelivery(t *testing.T, s Store) {
	d := filledDelivery(t)
	inserted(t, s, d)
	equal(t, "delivery", must(s.Delivery(ctx, d.Ref()))(t), d)
	equal(t, "in its episode", must(s.Episode(ctx, d.IncidentKey, d.Episode))(t), []delivery.Delivery{d})
	equal(t, "due", must(s.Due(ctx, d.DueAt, 9))(t), []delivery.Due{d.Due()})

	held := filledDelivery(t)
	held.IncidentKey, held.State = "k", delivery.Pending
	inserted(t, s, held)
	now := held.DueAt
	want := held.Claim("w", now, now.Add(time.Minute))
	got := must(s.Claim(ctx, held.Ref(), "w", now, now.Add(time.Minute)))(t)
	equal(t, "claimed", got, want)
	got.State = delivery.Unknown
	got.Note, got.DueAt = "as settled", now.Add(time.Hour)
	ok(t, s.Settle(ctx, got, delivery.Usage{Day: "2026-03-14"}))
	equal(t, "settled", must(s.Delivery(ctx, held.Ref()))(t), got)
}

func roundTripRun(t *testing.T, s Store) {
	run := filled[observation.Run](t)
	ok(t, s.ClaimRun(ctx, run, at(10)))
	ok(t, s.FinishRun(ctx, run))
	equal(t, "run", must(s.Runs(ctx, run.Source, 1))(t), []observation.Run{run})
}

func roundTripUsage(t *testing.T, s Store) {
	u := filled[delivery.Usage](t)
	u.Day = "2026-03-14"
	spend(t, s, "k", u)
	u.DeliveryID = ""
	equal(t, "usage", must(s.Usage(ctx, at(0), at(0)))(t), []delivery.Usage{u})
}

func roundTripZero(t *testing.T, s Store) {
	o := observation.Observation{IncidentKey: "k", Source: "s", Tick: at(10), Verdict: observation.Unknown}
	put(t, s, o)
	equal(t, "observation", read(t, s, "k", time.Time{}, time.Time{}), []observation.Observation{o})

	d := delivery.Delivery{
		IncidentKey: "k", Action: incident.Open, Destination: "d", State: delivery.Delivered, Payload: []byte{0xff, 0},
	}
	ok(t, s.Commit(ctx, incident.State{Key: "k"}, incident.Decision{IncidentKey: "k"}, []delivery.Delivery{d}))
	equal(t, "state", state(t, s, "k"), incident.State{Key: "k", Version: 1})
	equal(t, "decision", must(s.Decisions(ctx, "k"))(t), []incident.Decision{{IncidentKey: "k"}})
	equal(t, "delivery", must(s.Delivery(ctx, d.Ref()))(t), d)
}
