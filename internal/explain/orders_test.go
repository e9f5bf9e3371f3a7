package explain_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// after is an observation that was written so long after its tick.
func after(late time.Duration, o observation.Observation) observation.Observation {
	o.ObservedAt = o.Tick.Add(late)
	return o
}

// TestTheOrderOfATickIsNoDifference: two sources that say something else at one tick,
// seconds apart, are folded as they came, or failing first where decide was behind.
func TestTheOrderOfATickIsNoDifference(t *testing.T) {
	const f, h = observation.Failing, observation.Healthy
	one, two := after(9*time.Second, seen("one", 1, f)), after(2*time.Second, seen("two", 1, h))
	for name, batch := range map[string][]observation.Observation{"as they came": {two, one}, "failing first": {one, two}} {
		t.Run(name, func(t *testing.T) {
			d := newHistory(t, incident.Policy{FailingRequired: 1, HealthyRequired: 1})
			d.decide(seen("two", 0, f))
			d.decide(batch...)
			d.decide(seen("one", 2, h), seen("two", 2, h))
			if rep := d.explain(explain.Query{}); len(rep.Differences)+len(rep.Notes) > 0 {
				t.Errorf("differences %+v, notes %v", rep.Differences, rep.Notes)
			}
		})
	}
}

// Whatever two sources said, and however a tick was folded.
func TestAnyOrderOfATickIsNoDifference(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := incident.DefaultPolicy()
		p.FailingRequired = rapid.IntRange(1, 3).Draw(rt, "failing")
		p.HealthyRequired = rapid.IntRange(1, 3).Draw(rt, "healthy")
		p.Cooldown = time.Duration(rapid.IntRange(1, 5).Draw(rt, "cooldown")) * time.Minute
		p.StaleAfter = time.Duration(rapid.IntRange(3, 60).Draw(rt, "stale")) * time.Minute
		d := newHistory(t, p)
		for minute := range rapid.IntRange(1, 30).Draw(rt, "ticks") {
			var batch []observation.Observation
			for _, source := range []string{"one", "two"} {
				if rapid.IntRange(0, 4).Draw(rt, "speaks") > 0 {
					late := time.Duration(rapid.IntRange(1, 55).Draw(rt, "late")) * time.Second
					batch = append(batch, after(late, seen(source, minute, rapid.SampledFrom(verdicts).Draw(rt, "verdict"))))
				}
			}
			inOrder(batch)
			if rapid.Bool().Draw(rt, "as they came") {
				slices.SortStableFunc(batch, func(a, b observation.Observation) int { return a.ObservedAt.Compare(b.ObservedAt) })
			}
			d.decide(batch...)
		}
		if rep := d.explain(explain.Query{}); len(rep.Differences)+len(rep.Notes) > 0 {
			rt.Fatalf("differences %+v, notes %v", rep.Differences, rep.Notes)
		}
	})
}

// TestALateSourceHidesNoDifference: what gives the log in no order is told as loudly
// where one source always comes long after the other.
func TestALateSourceHidesNoDifference(t *testing.T) {
	d := newHistory(t, incident.Policy{FailingRequired: 1, HealthyRequired: 1})
	for minute, v := range []observation.Verdict{observation.Healthy, observation.Failing, observation.Failing} {
		one, two := after(time.Second, seen("one", minute, observation.Healthy)), after(50*time.Second, seen("two", minute, v))
		d.decide(one)
		if minute != 1 {
			d.decide(two)
			continue
		}
		d.put(two) // and its open is lost
	}
	rep := d.explain(explain.Query{})
	if len(rep.Differences) != 1 || rep.Differences[0].Log != "no open" {
		t.Errorf("differences %+v, notes %v", rep.Differences, rep.Notes)
	}
}
