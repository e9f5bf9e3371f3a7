package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// failNth makes the nth call of an operation fail, before or after its effect, and
// every other one succeed.
func failNth(op string, phase memory.Phase, n int64) memory.Hook {
	var calls atomic.Int64
	return func(_ context.Context, c memory.Call) error {
		if c.Op == op && c.Phase == phase && calls.Add(1) == n {
			return fmt.Errorf("injected fault %s %s", phase, op)
		}
		return nil
	}
}

// TestCaseD10APollCutOffAnywhereThenRunAgain fails one step of a poll and runs the
// same scheduled time again: nothing is lost and nothing is told twice.
func TestCaseD10APollCutOffAnywhereThenRunAgain(t *testing.T) {
	items := []observation.Item{}
	for i := range 5 {
		items = append(items, item(fmt.Sprint("card", i), observation.Failing))
	}
	for _, op := range []string{"ClaimRun", "ActiveKeys", "PutObservation", "FinishRun"} {
		for _, phase := range []memory.Phase{memory.Before, memory.After} {
			t.Run(op+"/"+string(phase), func(t *testing.T) {
				v, mem := newVendor(), memory.New()
				r := newRig(t, mem, v)
				v.set("vendor", whole(items...))
				mem.SetHook(failNth(op, phase, 1))
				r.now = noon
				if err := r.poller().Poll(t.Context(), noon); err == nil {
					t.Fatal("the fault went unnoticed")
				}
				mem.SetHook(nil)
				// A claim that was written although its answer was lost holds
				// until its lease ends.
				r.now = noon.Add(61 * time.Second)
				r.tick(0)
				// Play what the streams carried of the first try.
				told := r.told()
				if n := len(told[slackDest]); n != len(items) || len(told[mailDest]) != len(items) {
					t.Errorf("told %v, want %d opens at each destination", told, len(items))
				}
				r.tick(1)
				if got := r.toldEqually(); got != "-" {
					t.Errorf("the next tick told %s", got)
				}
			})
		}
	}
}

// TestOneSourceFailsNoOther polls two sources, and the store fails the writes of one.
func TestOneSourceFailsNoOther(t *testing.T) {
	v, mem := newVendor(), memory.New()
	r := newRig(t, mem, v)
	other := r.cfg.Sources[0]
	other.ID = "other"
	r.cfg.Sources = append(r.cfg.Sources, other)
	v.set("vendor", whole(item("card", observation.Failing)))
	v.set("other", whole(item("invoice", observation.Failing)))
	mem.SetHook(func(_ context.Context, c memory.Call) error {
		if c.Op == "PutObservation" && strings.Contains(c.Subject, "invoice") {
			return errors.New("injected fault")
		}
		return nil
	})
	err := r.poller().Poll(t.Context(), noon)
	if err == nil || !strings.Contains(err.Error(), "poll source other at tick 2026-03-01T12:00:00Z") {
		t.Errorf("the error does not name the source and tick: %v", err)
	}
	mem.SetHook(nil)
	r.pump()
	if got := r.toldEqually(); got != "open" {
		t.Errorf("told %s of the source that was written", got)
	}
	// The failed source released its tick, so the same scheduled time polls it
	// again, and no other.
	r.tick(0)
	if got := r.toldEqually(); got != "open" || v.polls("vendor") != 1 || v.polls("other") != 2 {
		t.Errorf("told %s; polled %d and %d times", got, v.polls("vendor"), v.polls("other"))
	}
}

// TestTwoSourcesOfOneKey: one incident, one message for each destination, and no
// recovery while either source still reports the failure.
func TestTwoSourcesOfOneKey(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	second := r.cfg.Sources[0]
	second.ID = "second"
	second.Absent = config.AbsentMissing
	r.cfg.Sources = append(r.cfg.Sources, second)
	failing := whole(item("card", observation.Failing))
	for n, step := range []struct {
		first, second observation.Listing
		want          string
	}{
		{failing, failing, "open"},
		{failing, failing, "-"},
		{whole(), failing, "-"},
		{whole(), failing, "-"},
		{whole(), failing, "-"},
		{whole(), whole(), "-"},
		{whole(), whole(), "resolve"},
		{whole(), whole(), "-"},
	} {
		v.set("vendor", step.first)
		v.set("second", step.second)
		r.tick(n)
		if got := r.toldEqually(); got != step.want {
			t.Errorf("tick %d: told %s, want %s", n, got, step.want)
		}
	}
}

// TestAnUnchangedFailingKeyCostsTwoWrites counts the operations of the stores.
func TestAnUnchangedFailingKeyCostsTwoWrites(t *testing.T) {
	const keys = 250
	v, mem := newVendor(), memory.New()
	r := newRig(t, mem, v)
	items := []observation.Item{}
	for i := range keys {
		items = append(items, item(fmt.Sprint("card", i), observation.Failing))
	}
	v.set("vendor", whole(items...))
	r.tick(0)
	var puts, saves, commits, reads atomic.Int64
	mem.SetHook(func(_ context.Context, c memory.Call) error {
		if c.Phase != memory.Before {
			return nil
		}
		switch c.Op {
		case "PutObservation":
			puts.Add(1)
		case "Save":
			saves.Add(1)
		case "Commit":
			commits.Add(1)
		case "States":
			reads.Add(1)
		}
		return nil
	})
	if err := r.poller().Poll(t.Context(), noon.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	r.pump()
	if puts.Load() != keys || saves.Load() != keys || commits.Load() != 0 || reads.Load() != 1 {
		t.Errorf("%d keys cost %d observations, %d state writes, %d transactions and %d reads",
			keys, puts.Load(), saves.Load(), commits.Load(), reads.Load())
	}
}
