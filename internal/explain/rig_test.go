package explain_test

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const key = "k1/error/issue=42"

func at(minute int) time.Time { return noon.Add(time.Duration(minute) * time.Minute) }

func seen(source string, minute int, v observation.Verdict) observation.Observation {
	return observation.Observation{
		IncidentKey: key, Kind: "error", Parts: []observation.Part{{Name: "issue", Value: "42"}}, Source: source,
		Tick: at(minute), Verdict: v, Status: string(v), Owner: "payments", Summary: "Payment fails",
		Evidence: observation.Evidence{
			Count: 3, Link: "https://vendor.example.com/42", VendorID: "42",
			Stage: "production", Deployment: "v1.4.2", CorrelationID: "req-7f", FirstSeen: at(-5), LastSeen: at(minute),
		},
	}
}

// history is the rows that a decider writes.
type history struct {
	t      testing.TB
	store  *memory.Store
	state  incident.State
	policy incident.Policy
}

func newHistory(t testing.TB, p incident.Policy) *history {
	return &history{t: t, store: memory.New(), state: incident.State{Key: key}, policy: p}
}

// put stores an observation without deciding on it.
func (h *history) put(o observation.Observation) {
	h.t.Helper()
	if _, err := h.store.PutObservation(h.t.Context(), o, time.Time{}); err != nil {
		h.t.Fatal(err)
	}
}

// decide stores observations and decides on them as the decider does.
func (h *history) decide(all ...observation.Observation) {
	h.t.Helper()
	for _, o := range all {
		h.put(o)
		h.judge(o)
	}
}

func (h *history) judge(o observation.Observation) {
	h.t.Helper()
	next, action, reason := incident.Decide(h.state, o, h.policy)
	if reason.Code == incident.StaleObservation || reason.Code == incident.UnknownObservation {
		return
	}
	h.state, _ = next.Under(o.Source, o.Tick, h.policy.Hash())
	if action == incident.None {
		if err := h.store.Save(h.t.Context(), h.state); err != nil {
			h.t.Fatal(err)
		}
		h.state.Version++
		return
	}
	h.commit(o, action, reason.String())
}

func (h *history) commit(o observation.Observation, a incident.Action, reason string) {
	h.t.Helper()
	h.state.DecisionSeq++
	d := incident.Decision{
		IncidentKey: key, Seq: h.state.DecisionSeq, Episode: h.state.Episode, Sequence: h.state.Sequence, Action: a,
		Reason: reason, Tick: o.Tick, Source: o.Source, To: []string{"slack"}, PolicyHash: h.policy.Hash(), ConfigHash: "c1-test", DecidedAt: o.Tick.Add(3 * time.Second),
	}
	out := delivery.Delivery{
		ID: delivery.ID("", key, d.Episode, d.Sequence, "slack"), IncidentKey: key, Episode: d.Episode, Sequence: d.Sequence,
		Action: a, Destination: "slack", Channel: config.ChannelSlackWebhook, Owner: "payments", CostCenter: "CC-1",
		Source: o.Source, Tick: o.Tick, CreatedAt: d.DecidedAt, State: delivery.Pending, DueAt: d.DecidedAt,
		Notice: notice.New(notice.Input{State: h.state, Observation: o, Action: a, Policy: h.policy, Owner: "payments", CostCenter: "CC-1", OperatorAction: "Look at the payment service."}),
	}
	if err := h.store.Commit(h.t.Context(), h.state, d, []delivery.Delivery{out}); err != nil {
		h.t.Fatal(err)
	}
	h.state.Version++
}

func (h *history) config() *config.Config {
	return &config.Config{
		Environment: "test", Hash: "c1-test",
		Owners: map[string]config.Owner{"payments": {ID: "payments", CostCenter: "CC-1", Policy: h.policy}},
		Sources: []config.Source{
			{ID: "one", Owner: "payments", Interval: time.Minute, Policy: h.policy, OperatorAction: "Look at the payment service."},
			{ID: "two", Owner: "payments", Interval: time.Minute, Policy: h.policy, OperatorAction: "Look at the payment service."},
		},
	}
}

func (h *history) explain(q explain.Query) *explain.Report {
	h.t.Helper()
	return h.explainWith(h.config(), q)
}

func (h *history) explainWith(cfg *config.Config, q explain.Query) *explain.Report {
	h.t.Helper()
	x := explain.Explainer{Store: h.store, Config: cfg}
	rep, err := x.Explain(h.t.Context(), explain.Found{Key: key, By: explain.ByKey}, q)
	if err != nil {
		h.t.Fatal(err)
	}
	return rep
}
