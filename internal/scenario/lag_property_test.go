package scenario_test

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

var lags = flag.Int("lags", 60, "how many histories with lags to play")

// lagWorld is what several vendors report of a few keys.
type lagWorld struct {
	t   *testing.T
	rnd *rand.Rand
	r   *rig
	v   *vendor
	// fails holds the keys that each source reports as failing.
	fails map[string]map[string]bool
	// queue holds the observations that decide has not folded yet, old the others.
	queue, old []observation.Observation
	// opens and ends count by key; seen is how many of a key's decisions were counted.
	opens, ends, seen map[string]int
	history           []string
}

func (w *lagWorld) note(format string, args ...any) {
	w.history = append(w.history, fmt.Sprintf(format, args...))
}

// TestLagsLoseAndInventNothing plays random histories of keys that several sources
// report, with different intervals, policies and rules for absence, while the index
// lags, decide lags and vendors are out. Nothing resolves while a source that was read
// recently reports it as failing. In the end all incidents are resolved, and as many
// resolves are told as opens.
func TestLagsLoseAndInventNothing(t *testing.T) {
	for i := range *lags {
		seed := uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) { playLags(t, seed) })
	}
}

func playLags(t *testing.T, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	v := newVendor()
	behind, chance := rnd.IntN(4), rand.New(rand.NewPCG(seed, 2))
	r := newRig(t, memory.New(memory.LagIndexes(func() bool { return chance.IntN(4) < behind })), v)
	w := &lagWorld{t: t, rnd: rnd, r: r, v: v, fails: map[string]map[string]bool{}, opens: map[string]int{}, ends: map[string]int{}, seen: map[string]int{}}
	intervals := []time.Duration{time.Minute, time.Minute, 2 * time.Minute, 5 * time.Minute}
	base := r.cfg.Sources[0]
	r.cfg.Sources = nil
	for i := range 1 + rnd.IntN(3) {
		s := base
		s.ID = fmt.Sprint("s", i)
		s.Interval = intervals[rnd.IntN(len(intervals))]
		s.Absent = []config.Absent{config.AbsentHealthy, config.AbsentMissing}[rnd.IntN(2)]
		s.Policy.FailingRequired = 1 + rnd.IntN(3)
		s.Policy.HealthyRequired = 1 + rnd.IntN(3)
		s.Policy.StaleAfter = s.Interval * time.Duration(2+rnd.IntN(10))
		s.Policy.Cooldown = []time.Duration{0, 10 * time.Minute}[rnd.IntN(2)]
		s.UnreachableAfter = 2 + rnd.IntN(2)
		s.MaxNewIncidents = []int{0, 2}[rnd.IntN(2)]
		r.cfg.Sources = append(r.cfg.Sources, s)
		w.fails[s.ID] = map[string]bool{}
	}
	keys := []string{"card", "cash", "loan"}
	at := 0
	for range 40 {
		n := at
		at++
		switch rnd.IntN(40) {
		case 0: // nothing runs
			at += rnd.IntN(90)
		case 1:
			w.change()
		}
		for _, s := range r.cfg.Sources {
			for _, k := range keys {
				if rnd.IntN(6) == 0 {
					w.fails[s.ID][k] = !w.fails[s.ID][k]
				}
			}
			w.set(s.ID, rnd.IntN(8) == 0)
		}
		w.minute(n, rnd.IntN(3) > 0)
	}
	w.calm()
	first := r.cfg.Sources[0].ID
	w.fails[first]["card"] = true
	w.set(first, false)
	for range 20 {
		w.minute(at, true)
		at++
	}
	states, err := r.tap.States(t.Context(), []string{"k1/error/payment=card"})
	if err != nil || !states["k1/error/payment=card"].Open {
		w.fail("what has been failing for 20 minutes is not open: %+v, %v", states, err)
	}
	w.calm()
	for range 90 {
		w.minute(at, true)
		at++
	}
	_ = r.tap.Incidents(t.Context(), func(s incident.State) error {
		if s.Open || s.Active() {
			w.fail("%s is still open (%t) or active: %+v", s.Key, s.Open, s)
		}
		if w.opens[s.Key] != w.ends[s.Key] {
			w.fail("%s: %d opens and %d resolves", s.Key, w.opens[s.Key], w.ends[s.Key])
		}
		return nil
	})
}

func (w *lagWorld) fail(format string, args ...any) {
	w.t.Helper()
	for _, h := range w.history {
		w.t.Log(h)
	}
	for _, s := range w.r.cfg.Sources {
		w.t.Logf("%s every %s absent %s policy %+v limit %d", s.ID, s.Interval, s.Absent, s.Policy, s.MaxNewIncidents)
	}
	w.t.Fatalf(format, args...)
}

// calm ends all lags, outages and failures.
func (w *lagWorld) calm() {
	for id := range w.fails {
		clear(w.fails[id])
		w.set(id, false)
	}
}

// change renames a source or changes its policy.
func (w *lagWorld) change() {
	i := w.rnd.IntN(len(w.r.cfg.Sources))
	sources := slices.Clone(w.r.cfg.Sources)
	cfg := *w.r.cfg
	cfg.Sources, w.r.cfg = sources, &cfg
	s := &sources[i]
	if w.rnd.IntN(2) == 0 {
		s.Policy.FailingRequired, s.Policy.HealthyRequired = 1+w.rnd.IntN(3), 1+w.rnd.IntN(3)
		w.note("policy of %s is now %+v", s.ID, s.Policy)
		return
	}
	w.note("%s is now %s", s.ID, s.ID+"x")
	w.fails[s.ID+"x"] = w.fails[s.ID]
	delete(w.fails, s.ID)
	s.ID += "x"
}

func (w *lagWorld) set(id string, out bool) {
	var items []observation.Item
	for k, fails := range w.fails[id] {
		if fails {
			items = append(items, item(k, observation.Failing))
		}
	}
	slices.SortFunc(items, func(a, b observation.Item) int { return len(a.Parts[0].Value) - len(b.Parts[0].Value) })
	switch {
	case out && w.rnd.IntN(2) == 0:
		w.v.set(id, broken("HTTP 500"))
	case out:
		w.v.set(id, broken("page 2: HTTP 500", items[:len(items)/2]...))
	default:
		w.v.set(id, whole(items...))
	}
}

// minute polls and, unless decide lags, decides.
func (w *lagWorld) minute(n int, decides bool) {
	w.t.Helper()
	r, scheduled := w.r, noon.Add(time.Duration(n)*time.Minute)
	r.now = scheduled.Add(2 * time.Second)
	if err := r.poller().Poll(w.t.Context(), scheduled); err != nil {
		w.fail("poll: %v", err)
	}
	obs, _ := r.tap.take()
	// Sources write concurrently; sort, so that a seed gives the same history each time.
	slices.SortFunc(obs, func(a, b observation.Observation) int {
		return cmp.Or(cmp.Compare(a.IncidentKey, b.IncidentKey), incident.InOrder(a, b))
	})
	for _, o := range obs {
		w.note("%d %s %s %s %s", n, o.Source, o.Tick.Format("15:04"), o.IncidentKey, o.Verdict)
	}
	w.queue = append(w.queue, obs...)
	if !decides {
		return
	}
	batch := w.queue
	w.queue = nil
	// Records are delivered again, some of them much later.
	for range w.rnd.IntN(4) {
		if len(w.old) > 0 {
			batch = append(batch, w.old[w.rnd.IntN(len(w.old))])
		}
	}
	w.old = append(w.old, batch...)
	// One incident after the other, so that a seed gives the same changes each time.
	lapser := r.lapser()
	lapser.AtOnce = 1
	if failed := lapser.Decide(w.t.Context(), batch); len(failed) > 0 {
		w.fail("decide: %v", failed)
	}
	_ = r.tap.Incidents(w.t.Context(), func(s incident.State) error {
		log, _ := r.tap.Decisions(w.t.Context(), s.Key)
		for _, d := range log[w.seen[s.Key]:] {
			w.note("%d %s %s at %s: %s (%s)", n, s.Key, d.Action, d.Tick.Format("15:04"), d.Reason, d.Source)
			switch d.Action {
			case incident.Open:
				w.opens[s.Key]++
			case incident.Resolve:
				w.ends[s.Key]++
				for id, v := range s.Sources {
					if v.Verdict == observation.Failing && (v.Until.IsZero() || v.Until.After(d.Tick)) && !v.Tick.After(d.Tick) && !s.Open {
						w.fail("%s resolved at %s while %s says failing since %s", s.Key, d.Tick, id, v.Tick)
					}
				}
			}
		}
		w.seen[s.Key] = len(log)
		return nil
	})
	if err := lapser.Lapse(w.t.Context(), scheduled); err != nil {
		w.fail("lapse: %v", err)
	}
	r.tap.take()
}
