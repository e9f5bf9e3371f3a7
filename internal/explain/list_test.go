package explain_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// counting counts the logs that are read.
type counting struct {
	*memory.Store
	logs int
}

func (c *counting) Decisions(ctx context.Context, key string) ([]incident.Decision, error) {
	c.logs++
	return c.Store.Decisions(ctx, key)
}

// TestAListKnowsTheNextReminderWithoutTheConfiguration: the stored policy of the
// source's newest decision gives it. Without that policy the list gives none.
func TestAListKnowsTheNextReminderWithoutTheConfiguration(t *testing.T) {
	p := incident.DefaultPolicy()
	p.Cooldown = 7 * time.Minute
	h := newHistory(t, p)
	h.decide(seen("one", 0, observation.Failing))
	list := func(x explain.Explainer) []explain.Listed {
		t.Helper()
		all, err := x.List(t.Context(), explain.Filter{}, at(3))
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v, %v", all, err)
		}
		return all
	}
	if got := list(explain.Explainer{Store: h.store})[0].NextReminder; !got.IsZero() {
		t.Errorf("the policy is stored nowhere, and the next reminder is said to come at %s", got)
	}
	content, err := p.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.store.PutPolicy(t.Context(), p.Hash(), content); err != nil {
		t.Fatal(err)
	}
	if got := list(explain.Explainer{Store: h.store})[0].NextReminder; !got.Equal(at(7)) {
		t.Errorf("the next reminder is said to come at %s, want %s", got, at(7))
	}
	// An acknowledgement names no policy, and stops the reminders.
	s := counting{Store: h.store}
	h.state.DecisionSeq++
	h.state.Ack = incident.Acknowledgement{By: "alice"}
	said := incident.Decision{IncidentKey: key, Seq: h.state.DecisionSeq, Episode: 1, Sequence: 2, Action: incident.Ack, Tick: at(1), Source: "one", DecidedAt: at(1)}
	if err := h.store.Commit(t.Context(), h.state, said, nil); err != nil {
		t.Fatal(err)
	}
	if got := list(explain.Explainer{Store: &s})[0].NextReminder; !got.IsZero() {
		t.Errorf("alice has taken it on, and the next reminder is said to come at %s", got)
	}
	// For a configured source the configuration counts, and no log is read.
	s.logs = 0
	list(explain.Explainer{Store: &s, Config: h.config()})
	if s.logs != 0 {
		t.Errorf("%d logs were read although the configuration is there", s.logs)
	}
}

// TestAListReadsOneLogForEachSource, however many incidents are open.
func TestAListReadsOneLogForEachSource(t *testing.T) {
	p := incident.DefaultPolicy()
	s := counting{Store: memory.New()}
	for _, name := range []string{"a", "b", "c"} {
		o := seen("one", 0, observation.Failing)
		o.IncidentKey = "k1/error/issue=" + name
		next, action, reason := incident.Decide(incident.State{Key: o.IncidentKey}, o, p)
		next.DecisionSeq = 1
		d := incident.Decision{IncidentKey: o.IncidentKey, Seq: 1, Episode: 1, Sequence: 1, Action: action, Reason: reason.String(), Tick: o.Tick, Source: "one", PolicyHash: p.Hash(), DecidedAt: at(0)}
		if err := s.Commit(t.Context(), next, d, nil); err != nil {
			t.Fatal(err)
		}
	}
	all, err := (&explain.Explainer{Store: &s}).List(t.Context(), explain.Filter{}, at(1))
	if err != nil || len(all) != 3 || s.logs != 1 {
		t.Fatalf("%d incidents, %d logs read, %v", len(all), s.logs, err)
	}
	for _, l := range all {
		if !l.NextReminder.Equal(at(0).Add(p.Cooldown)) {
			t.Errorf("%s: next reminder %s", l.Key, l.NextReminder)
		}
	}
}
