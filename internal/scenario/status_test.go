package scenario_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/memory"
)

// TestStatusKnowsASourceThatWasNeverRead, also without the configuration at
// hand: saying that nothing needs a person would be the one thing that is wrong.
func TestStatusKnowsASourceThatWasNeverRead(t *testing.T) {
	v, mem := newVendor(), memory.New()
	r := newRig(t, mem, v)
	v.set("vendor", broken("HTTP 500"))
	for n := range 3 {
		r.tick(n)
	}
	rep, err := (&explain.Explainer{Store: mem}).Status(t.Context(), mem, r.now.Add(time.Second))
	if err != nil || len(rep.Sources) != 1 || rep.Sources[0].Source != "vendor" || !rep.Sources[0].Unreachable {
		t.Fatalf("sources %+v, %v", rep.Sources, err)
	}
	if !strings.Contains(strings.Join(rep.Problems, "\n"), "vendor") {
		t.Errorf("what needs a person: %q", rep.Problems)
	}
}
