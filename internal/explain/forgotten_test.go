package explain_test

import (
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestMessagesOutliveWhatWasForgotten: a smoke test leaves only its messages, which can
// still be explained.
func TestMessagesOutliveWhatWasForgotten(t *testing.T) {
	h := newHistory(t, incident.DefaultPolicy())
	h.decide(seen("one", 0, observation.Failing), seen("one", 1, observation.Healthy), seen("one", 2, observation.Healthy))
	if _, err := h.store.Forget(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	rep := h.explain(explain.Query{Episode: 1})
	if len(rep.Deliveries) != 2 || !strings.Contains(rep.Why, "all that is left") {
		t.Errorf("%d messages, %q", len(rep.Deliveries), rep.Why)
	}
}

// An empty window is not mistaken for an incident of which only messages are left.
func TestAWindowWithMessagesAloneIsNotForgotten(t *testing.T) {
	h := newHistory(t, incident.DefaultPolicy())
	h.decide(seen("one", 0, observation.Failing))
	later := seen("one", 5, observation.Failing)
	h.put(later)
	h.state.Sequence++
	h.commit(later, incident.SilenceEnded, incident.Reason{Code: incident.SilenceOver, By: "s-1"}.String())
	rep := h.explain(explain.Query{From: at(4), To: at(6)})
	if len(rep.Deliveries) != 1 || strings.Contains(rep.Why, "all that is left") {
		t.Errorf("%d messages, %q", len(rep.Deliveries), rep.Why)
	}
}
