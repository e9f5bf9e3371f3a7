package scenario_test

import (
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestTextThatNoRowHolds: a text too large for a row costs only its own failure, at
// every tick. The other failures are told, and the source counts as readable only in
// part.
func TestTextThatNoRowHolds(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	huge := item("huge", observation.Failing)
	huge.Summary = strings.Repeat("x", 500<<10)
	v.set("vendor", whole(huge, item("card", observation.Failing)))
	for n := range 3 {
		r.tick(n)
	}
	runs, err := r.tap.Runs(t.Context(), "vendor", 9)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		if run.State != observation.RunPartial || !strings.Contains(strings.Join(run.Problems, " "), "cannot be stored") {
			t.Errorf("run %s: %v", run.State, run.Problems)
		}
	}
	if len(runs) != 3 {
		t.Fatalf("%d runs, want 3", len(runs))
	}
	// The card from the first tick, and the source itself from the third.
	if got := r.toldEqually(); got != "open+open" {
		t.Errorf("told %s, want open+open", got)
	}
}

// TestHugeKeyParts: a huge value in a key is shortened, and two of them still have
// different keys.
func TestHugeKeyParts(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	one, two := item("card", observation.Failing), item("card", observation.Failing)
	one.Parts = []observation.Part{{Name: "payment", Value: strings.Repeat("ü", 250<<10) + "1"}}
	two.Parts = []observation.Part{{Name: "payment", Value: strings.Repeat("ü", 250<<10) + "2"}}
	v.set("vendor", whole(one, two))
	r.tick(0)
	if got := r.toldEqually(); got != "open+open" {
		t.Fatalf("told %s, want open+open", got)
	}
	for _, o := range r.tap.store.(*memory.Store).InsertedObservations(0) {
		if kept := o.Parts[0].Value; len(kept) > 500 || !strings.HasSuffix(kept, "ü…") {
			t.Errorf("a part of %d bytes is kept, ending in %q", len(kept), kept[max(0, len(kept)-8):])
		}
	}
}
