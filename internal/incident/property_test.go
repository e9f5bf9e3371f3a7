package incident

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/observation"
)

func policies() *rapid.Generator[Policy] {
	return rapid.Custom(func(t *rapid.T) Policy {
		p := Policy{
			FailingRequired: rapid.IntRange(1, 3).Draw(t, "failing_required"),
			HealthyRequired: rapid.IntRange(1, 3).Draw(t, "healthy_required"),
			Cooldown:        time.Duration(rapid.IntRange(0, 6).Draw(t, "cooldown")) * time.Minute,
			CooldownGrowth:  rapid.SampledFrom([]float64{1, 1, 1.5, 2}).Draw(t, "growth"),
			CooldownMax:     time.Duration(rapid.IntRange(0, 12).Draw(t, "cooldown_max")) * time.Minute,
			MaxReminders:    rapid.IntRange(0, 3).Draw(t, "max_reminders"),
			StaleAfter:      time.Duration(rapid.IntRange(0, 8).Draw(t, "stale_after")) * time.Minute,
			ReopenWithin:    time.Duration(rapid.IntRange(0, 5).Draw(t, "reopen_within")) * time.Minute,
		}
		if rapid.Bool().Draw(t, "damped") {
			p.FlapEpisodes = rapid.IntRange(1, 4).Draw(t, "flap_episodes")
			p.FlapWindow = time.Duration(rapid.IntRange(1, 30).Draw(t, "flap_window")) * time.Minute
			p.FlapStableTicks = rapid.IntRange(1, 6).Draw(t, "flap_stable_ticks")
		}
		return p
	})
}

// histories have gaps, repeats and late arrivals: ticks wander, and only on
// the whole forwards.
func histories(sources ...string) *rapid.Generator[[]observation.Observation] {
	event := rapid.Custom(func(t *rapid.T) observation.Observation {
		verdicts := []observation.Verdict{observation.Failing, observation.Failing, observation.Healthy, observation.Healthy, observation.Healthy, observation.Unknown}
		return observation.Observation{
			Source:  rapid.SampledFrom(sources).Draw(t, "source"),
			Verdict: rapid.SampledFrom(verdicts).Draw(t, "verdict"),
			Missing: rapid.Bool().Draw(t, "missing"),
			Tick:    minute(rapid.SampledFrom([]int{-3, -1, 0, 0, 1, 1, 1, 1, 1, 2, 7}).Draw(t, "step")),
		}
	})
	return rapid.Map(rapid.SliceOfN(event, 0, 80), func(events []observation.Observation) []observation.Observation {
		now := start
		for i := range events {
			now = now.Add(events[i].Tick.Sub(start))
			events[i].Tick = now
		}
		return events
	})
}

type step struct {
	o observation.Observation
	s State
	a Action
	r Reason
}

func foldAll(p Policy, history []observation.Observation) []step {
	s := State{}
	steps := make([]step, 0, len(history))
	for _, o := range history {
		var a Action
		var r Reason
		s, a, r = Decide(s, o, p)
		steps = append(steps, step{o, s, a, r})
	}
	return steps
}

func TestNoticesAreWellFormed(t *testing.T) {
	documented := map[Code][]Action{}
	for _, c := range Codes() {
		documented[c.Code] = c.Actions
	}
	rapid.Check(t, func(t *rapid.T) {
		p := policies().Draw(t, "policy")
		open, episode, sequence, reminders := false, 0, 0, 0
		var told time.Time
		for _, st := range foldAll(p, histories("a", "b", "c").Draw(t, "history")) {
			if !slices.Contains(documented[st.r.Code], st.a) {
				t.Fatalf("%s with reason %s, which is not documented", st.a, st.r)
			}
			switch st.a {
			case None:
				continue
			case Open:
				if open || st.s.Episode != episode+1 || st.s.Sequence != 1 {
					t.Fatalf("open while open is %t, episode %d after %d, sequence %d", open, st.s.Episode, episode, st.s.Sequence)
				}
				open, episode, sequence, reminders = true, st.s.Episode, 1, 0
			case Remind, Resolve:
				sequence++
				if !open || st.s.Episode != episode || st.s.Sequence != sequence {
					t.Fatalf("%s while open is %t, episode %d in %d, sequence %d, want %d", st.a, open, st.s.Episode, episode, st.s.Sequence, sequence)
				}
				if st.a == Resolve {
					open = false
					break
				}
				if wait := p.cooldownAfter(reminders); st.o.Tick.Sub(told) < wait {
					t.Fatalf("reminder %s after the last notice, cooldown %s", st.o.Tick.Sub(told), wait)
				}
				if reminders++; p.MaxReminders > 0 && reminders > p.MaxReminders {
					t.Fatalf("reminder %d of %d", reminders, p.MaxReminders)
				}
			}
			told = later(told, st.o.Tick)
		}
	})
}

// No resolve without healthy_required healthy ticks since the last failing
// word of any source.
func TestResolveNeedsHealth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := policies().Draw(t, "policy")
		healthy := map[time.Time]bool{}
		for _, st := range foldAll(p, histories("a", "b", "c").Draw(t, "history")) {
			if st.r.Code == StaleObservation {
				continue
			}
			switch st.o.Verdict {
			case observation.Failing:
				clear(healthy)
			case observation.Healthy:
				healthy[st.o.Tick] = true
			}
			if st.a == Resolve && len(healthy) < p.HealthyRequired {
				t.Fatalf("resolve at %s after %d healthy ticks, want %d", st.o.Tick, len(healthy), p.HealthyRequired)
			}
		}
	})
}

func TestRepeatedAndLateTicksChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := policies().Draw(t, "policy")
		steps := foldAll(p, histories("a", "b").Draw(t, "history"))
		for i, st := range steps {
			for _, old := range steps[:i+1] {
				known, evidence := st.s.Sources[old.o.Source]
				if !evidence || old.o.Tick.After(known.Tick) {
					// Only an unknown observation can be newer than its
					// source's last evidence; see the next property.
					continue
				}
				again, a, r := Decide(st.s, old.o, p)
				if a != None || r.Code != StaleObservation || !reflect.DeepEqual(again, st.s) {
					t.Fatalf("%s %s again: %s %s", old.o.ID(), old.o.Verdict, a, r)
				}
			}
		}
	})
}

func TestUnknownChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := policies().Draw(t, "policy")
		history := histories("a", "b").Draw(t, "history")
		known := slices.DeleteFunc(slices.Clone(history), func(o observation.Observation) bool { return o.Verdict == observation.Unknown })
		all, without := foldAll(p, history), foldAll(p, known)
		all = slices.DeleteFunc(all, func(st step) bool { return st.o.Verdict == observation.Unknown })
		if len(all) != len(without) {
			t.Fatal("the histories differ in length")
		}
		for i := range all {
			if all[i].a != without[i].a || all[i].r != without[i].r || !reflect.DeepEqual(all[i].s, without[i].s) {
				t.Fatalf("%s: %s %s with unknown observations, %s %s without", all[i].o.ID(), all[i].a, all[i].r, without[i].a, without[i].r)
			}
		}
	})
}

// rounds are histories tick by tick, at most one observation a source.
func rounds() *rapid.Generator[[][]observation.Observation] {
	verdict := rapid.SampledFrom([]observation.Verdict{observation.Failing, observation.Healthy, observation.Healthy, observation.Unknown})
	return rapid.Custom(func(t *rapid.T) [][]observation.Observation {
		var all [][]observation.Observation
		for n := range rapid.IntRange(0, 25).Draw(t, "ticks") {
			var tick []observation.Observation
			for _, source := range []string{"a", "b", "c"} {
				if rapid.IntRange(0, 3).Draw(t, "speaks") > 0 {
					tick = append(tick, observation.Observation{Source: source, Tick: minute(n), Verdict: verdict.Draw(t, "verdict")})
				}
			}
			all = append(all, tick)
		}
		return all
	})
}

// However ticks are cut into batches, and in whatever order a batch arrives,
// folding each batch in order gives the same decisions.
func TestBatchingDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, ticks := policies().Draw(t, "policy"), rounds().Draw(t, "ticks")
		var whole, cut []observation.Observation
		for len(ticks) > 0 {
			n := rapid.IntRange(1, len(ticks)).Draw(t, "batch")
			batch := slices.Concat(ticks[:n]...)
			whole = append(whole, batch...)
			batch = rapid.Permutation(batch).Draw(t, "arrival")
			slices.SortFunc(batch, InOrder)
			cut = append(cut, batch...)
			ticks = ticks[n:]
		}
		slices.SortFunc(whole, InOrder)
		if a, b := foldAll(p, whole), foldAll(p, cut); !reflect.DeepEqual(a, b) {
			t.Fatalf("in one batch: %v\nin several: %v", a, b)
		}
	})
}

// Even unsorted, the order in which sources report one tick changes nothing,
// unless a resolve was made at a tick at which another source failed.
func TestOrderWithinATickDoesNotMatter(t *testing.T) {
	perTick := func(p Policy, ticks [][]observation.Observation) (actions [][]Action, tooEarly bool, last State) {
		s := State{}
		for _, tick := range ticks {
			var told []Action
			failing := slices.ContainsFunc(tick, func(o observation.Observation) bool { return o.Verdict == observation.Failing })
			for _, o := range tick {
				var a Action
				if s, a, _ = Decide(s, o, p); a != None {
					told = append(told, a)
				}
			}
			tooEarly = tooEarly || (failing && slices.Contains(told, Resolve))
			actions = append(actions, told)
		}
		return actions, tooEarly, s
	}
	rapid.Check(t, func(t *rapid.T) {
		p, ticks := policies().Draw(t, "policy"), rounds().Draw(t, "ticks")
		var shuffled [][]observation.Observation
		for _, tick := range ticks {
			if len(tick) > 0 {
				tick = rapid.Permutation(tick).Draw(t, "order")
			}
			shuffled = append(shuffled, tick)
		}
		a1, early1, s1 := perTick(p, ticks)
		a2, early2, s2 := perTick(p, shuffled)
		if early1 || early2 {
			return
		}
		if !reflect.DeepEqual(a1, a2) || s1.FailingStreak != s2.FailingStreak || s1.HealthyStreak != s2.HealthyStreak ||
			!s1.StreakStart.Equal(s2.StreakStart) || s1.Active() != s2.Active() {
			t.Fatalf("%v\n%+v\nin another order %v\n%+v", a1, s1, a2, s2)
		}
	})
}

// Nor does it when each source's policy wants another failing streak.
func TestOrderWithinATickOpensAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, need := policies().Draw(t, "policy"), map[string]int{}
		// Reminders follow the policy of the source that counts the tick, so they are
		// excluded.
		p.Cooldown = 0
		for _, source := range []string{"a", "b", "c"} {
			need[source] = rapid.IntRange(1, 4).Draw(t, source)
		}
		s1, s2 := State{}, State{}
		for _, tick := range rounds().Draw(t, "ticks") {
			other := tick
			if len(tick) > 0 {
				other = rapid.Permutation(tick).Draw(t, "order")
			}
			opened := [2]int{}
			for i := range tick {
				for n, o := range []observation.Observation{tick[i], other[i]} {
					s := []*State{&s1, &s2}[n]
					p.FailingRequired = need[o.Source]
					var a Action
					if *s, a, _ = Decide(*s, o, p); a == Open {
						opened[n]++
					}
					if a == Resolve && slices.ContainsFunc(tick, func(o observation.Observation) bool { return o.Verdict == observation.Failing }) {
						return // see above
					}
				}
			}
			if opened[0] != opened[1] || s1.Open != s2.Open || s1.FailingStreak != s2.FailingStreak {
				t.Fatalf("%d opens, streak %d, in another order %d, streak %d", opened[0], s1.FailingStreak, opened[1], s2.FailingStreak)
			}
		}
	})
}

// TestAgainstModel compares Decide with a simple model of the rules for one source
// without damping, which evaluates the whole history again at every tick.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := policies().Draw(t, "policy")
		p.FlapEpisodes = 0
		var m model
		for _, st := range foldAll(p, histories("a").Draw(t, "history")) {
			if want := m.next(st.o, p); st.a != want {
				t.Fatalf("%s %s: got %s %s, want %s", st.o.ID(), st.o.Verdict, st.a, st.r, want)
			}
		}
	})
}

type model struct {
	verdicts  []observation.Verdict
	newest    time.Time
	open      bool
	told      time.Time
	reminders int
}

func (m *model) next(o observation.Observation, p Policy) Action {
	if o.Verdict == observation.Unknown || (!m.newest.IsZero() && !o.Tick.After(m.newest)) {
		return None
	}
	m.newest = o.Tick
	m.verdicts = append(m.verdicts, o.Verdict)
	switch {
	case !m.open && m.endsIn(observation.Failing, p.FailingRequired):
		m.open, m.told, m.reminders = true, o.Tick, 0
		return Open
	case m.open && m.endsIn(observation.Healthy, p.HealthyRequired):
		m.open = false
		return Resolve
	case m.open && o.Verdict == observation.Failing && m.reminderDue(o.Tick, p):
		m.told = o.Tick
		m.reminders++
		return Remind
	default:
		return None
	}
}

func (m *model) endsIn(v observation.Verdict, n int) bool {
	if len(m.verdicts) < n {
		return false
	}
	return !slices.ContainsFunc(m.verdicts[len(m.verdicts)-n:], func(got observation.Verdict) bool { return got != v })
}

func (m *model) reminderDue(tick time.Time, p Policy) bool {
	wait := float64(p.Cooldown)
	for range m.reminders {
		wait *= p.CooldownGrowth
	}
	if p.CooldownMax > 0 {
		wait = min(wait, float64(p.CooldownMax))
	}
	left := p.MaxReminders == 0 || m.reminders < p.MaxReminders
	return p.Cooldown > 0 && left && float64(tick.Sub(m.told)) >= wait
}
