package explain_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestPoliciesInForce: each observation is judged by a policy of its time, stored or
// configured, even if the moment of the change is not known. A policy that is not found
// is replaced, with a note.
func TestPoliciesInForce(t *testing.T) {
	old, now := incident.DefaultPolicy(), incident.DefaultPolicy()
	old.Cooldown, now.Cooldown = 2*time.Minute, 6*time.Minute
	h := newHistory(t, old)
	h.letters("FFFFF") // told at 0, 2 and 4; by the old policy again at 6
	h.policy = now
	for minute := 5; minute < 15; minute++ {
		h.decide(seen("one", minute, observation.Failing)) // told at 10
	}
	rep := h.explain(explain.Query{})
	if len(rep.Differences) > 0 || len(rep.Notes) != 2 || !strings.Contains(rep.Notes[0], "policy "+old.Hash()+" is not stored") ||
		!strings.Contains(rep.Notes[1], "whether the log is right at 2026-03-01 12:02 UTC cannot be told") {
		t.Errorf("without the old policy: %+v, %v", rep.Differences, rep.Notes)
	}
	content, err := old.MarshalJSON()
	if err == nil {
		err = h.store.PutPolicy(t.Context(), old.Hash(), content)
	}
	if err != nil {
		t.Fatal(err)
	}
	if rep := h.explain(explain.Query{}); len(rep.Differences) > 0 || len(rep.Notes) > 0 || rep.Identity.Policy.Cooldown != now.Cooldown || rep.Episodes[0].Reminders != 3 {
		t.Errorf("with the old policy stored: %+v, %v, %+v", rep.Differences, rep.Notes, rep.Episodes)
	}
	if rep := h.explainWith(nil, explain.Query{Episode: 1}); rep.Identity.Owner != "payments" || rep.Identity.CostCenter != "CC-1" || len(rep.Differences) > 0 || len(rep.Notes) != 2 {
		t.Errorf("without a configuration: %+v, %v", rep.Identity, rep.Notes)
	}
}

// TestADecisionIsJudgedByItsOwnPolicy: another policy may lead to the same action with
// another reason.
func TestADecisionIsJudgedByItsOwnPolicy(t *testing.T) {
	old := incident.DefaultPolicy()
	old.ReopenWithin = 0
	h := newHistory(t, old)
	h.letters("FHH")
	h.policy.FailingRequired = 2
	for minute := 3; minute < 6; minute++ {
		h.decide(seen("one", minute, observation.Failing))
	}
	cfg := h.config()
	cfg.Owners["payments"] = config.Owner{ID: "payments", Policy: old}
	if rep := h.explainWith(cfg, explain.Query{}); len(rep.Differences) > 0 || len(rep.Notes) > 0 {
		t.Errorf("differences %+v, notes %v", rep.Differences, rep.Notes)
	}
}
