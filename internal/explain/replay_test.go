package explain_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

var verdicts = []observation.Verdict{observation.Failing, observation.Healthy, observation.Unknown}

// TestReplayGivesTheLog: for random observations of two sources and random policies, a
// replay of the stored observations gives the logged decisions and counts every
// observation.
func TestReplayGivesTheLog(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := incident.DefaultPolicy()
		p.FailingRequired = rapid.IntRange(1, 3).Draw(rt, "failing")
		p.HealthyRequired = rapid.IntRange(1, 3).Draw(rt, "healthy")
		p.Cooldown = time.Duration(rapid.IntRange(1, 5).Draw(rt, "cooldown")) * time.Minute
		p.StaleAfter = 4 * time.Minute
		p.FlapEpisodes = rapid.SampledFrom([]int{0, 2}).Draw(rt, "flaps")
		p.FlapWindow, p.FlapStableTicks = 10*time.Minute, 3
		h := newHistory(t, p)
		stored := 0
		for minute := range rapid.IntRange(1, 40).Draw(rt, "ticks") {
			var batch []observation.Observation
			for _, source := range []string{"one", "two"} {
				if rapid.IntRange(0, 3).Draw(rt, "speaks") > 0 {
					batch = append(batch, seen(source, minute, rapid.SampledFrom(verdicts).Draw(rt, "verdict")))
				}
			}
			stored += len(batch)
			inOrder(batch)
			h.decide(batch...)
		}
		rep := h.explain(explain.Query{})
		if len(rep.Differences) > 0 {
			rt.Fatalf("differences: %+v", rep.Differences)
		}
		log, counted := 0, 0
		for _, e := range rep.Timeline {
			counted += e.Count
			if e.Logged {
				log++
			}
		}
		if int64(log) != h.state.DecisionSeq || counted != stored || rep.Window.Stored != stored {
			rt.Fatalf("%d decisions of %d, %d observations of %d", log, h.state.DecisionSeq, counted, stored)
		}
	})
}

func inOrder(batch []observation.Observation) {
	if len(batch) == 2 && incident.InOrder(batch[0], batch[1]) > 0 {
		batch[0], batch[1] = batch[1], batch[0]
	}
}

// letters decides on one source's ticks, a minute apart.
func (h *history) letters(line string) {
	h.t.Helper()
	for i, letter := range line {
		h.decide(seen("one", i, map[rune]observation.Verdict{'F': observation.Failing, 'H': observation.Healthy, 'U': observation.Unknown}[letter]))
	}
}

// TestDifferencesAreShownLoudly: the stored observations are not those that the log was
// made from.
func TestDifferencesAreShownLoudly(t *testing.T) {
	p := incident.DefaultPolicy()
	for name, c := range map[string]struct {
		tamper      func(h *history)
		log, replay string
		count       int
	}{
		"a decision that was never logged": {
			// The observation is stored but was not folded, although later ones were.
			func(h *history) {
				h.put(seen("one", 0, observation.Failing))
				h.decide(seen("one", 1, observation.Healthy), seen("one", 2, observation.Healthy))
			}, "no open", "open, failing_streak", 1,
		},
		"a decision without evidence": {
			func(h *history) {
				h.decide(seen("one", 0, observation.Healthy))
				h.judge(seen("one", 1, observation.Failing))
				h.decide(seen("one", 2, observation.Failing))
			}, "open 1.1, failing_streak 1/1", "no open", 1,
		},
		"another reason": {
			func(h *history) {
				h.put(seen("one", 0, observation.Failing))
				h.state, _, _ = incident.Decide(h.state, seen("one", 0, observation.Failing), p)
				h.commit(seen("one", 0, observation.Failing), incident.Open, "failing_streak 3/3")
			}, "open 1.1, failing_streak 3/3", "open 1.1, failing_streak 1/1", 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, p)
			c.tamper(h)
			rep := h.explain(explain.Query{})
			if len(rep.Differences) != 1 || rep.Differences[0].Log != c.log || !strings.HasPrefix(rep.Differences[0].Replay, c.replay) || rep.Differences[0].Count != c.count {
				t.Fatalf("differences %+v", rep.Differences)
			}
			var text, page strings.Builder
			if err := rep.WriteText(&text); err != nil {
				t.Fatal(err)
			}
			if err := rep.WriteHTML(&page); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(rep.Why, "BEWARE") || !strings.Contains(text.String(), "!!! THE LOG") || !strings.Contains(page.String(), `class="alarm"`) {
				t.Errorf("it is not loud:\n%s", text.String())
			}
		})
	}
}

// TestWhatIsOnItsWayIsNoDifference: decide has not folded an observation yet.
func TestWhatIsOnItsWayIsNoDifference(t *testing.T) {
	h := newHistory(t, incident.DefaultPolicy())
	h.letters("FHH")
	h.put(seen("one", 9, observation.Failing))
	rep := h.explain(explain.Query{})
	if len(rep.Differences) > 0 || len(rep.Notes) != 1 || !strings.Contains(rep.Notes[0], "1 of the newest observations are stored, but not decided on yet") {
		t.Errorf("differences %+v, notes %v", rep.Differences, rep.Notes)
	}
}

// TestExpiredEvidence: the log is kept longer than the observations. Those that are left
// are replayed from the state that the log implies.
func TestExpiredEvidence(t *testing.T) {
	p := incident.DefaultPolicy()
	p.Cooldown = 5 * time.Minute
	h := newHistory(t, p)
	h.letters("FHHFFFFFFFFFFFFFHH")
	left := memory.New()
	kept := *h
	kept.store = left
	copyRows(t, h, left, 10)
	rep := kept.explain(explain.Query{})
	if len(rep.Differences) > 0 {
		t.Errorf("differences %+v", rep.Differences)
	}
	if len(rep.Notes) != 1 || !strings.Contains(rep.Notes[0], "before 2026-03-01 12:10 UTC have expired: what was decided before it (4 decisions)") {
		t.Errorf("notes %v", rep.Notes)
	}
	kept.store = memory.New()
	copyRows(t, h, kept.store, 100)
	if rep := kept.explain(explain.Query{}); len(rep.Differences) > 0 || !strings.Contains(rep.Notes[0], "no observation is stored any more") || rep.Episodes[1].Reminders != 2 {
		t.Errorf("nothing left: %+v, %v, %+v", rep.Differences, rep.Notes, rep.Episodes)
	}
}

// copyRows copies everything but the observations before a minute.
func copyRows(t *testing.T, from *history, to *memory.Store, minute int) {
	t.Helper()
	err := from.store.Observations(t.Context(), key, at(minute), time.Time{}, func(o observation.Observation) error {
		_, err := to.PutObservation(t.Context(), o, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	log, err := from.store.Decisions(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range log {
		s := from.state
		s.Version = int64(i)
		all, err := from.store.Episode(t.Context(), key, d.Episode)
		if err != nil {
			t.Fatal(err)
		}
		if err := to.Commit(t.Context(), s, d, all); err != nil {
			t.Fatal(err)
		}
	}
}

// TestALapseIsNoDifference: no stored observation leads to a lapse.
func TestALapseIsNoDifference(t *testing.T) {
	h := newHistory(t, incident.DefaultPolicy())
	h.letters("FF")
	h.state.Open, h.state.ResolvedAt = false, at(70)
	h.state.Sequence++
	h.state.FailingStreak = 0
	h.commit(observation.Observation{Tick: at(70), Source: "one", Verdict: observation.Unknown}, incident.Resolve, "lapsed last=2026-03-01T12:01:00Z")
	h.decide(seen("one", 200, observation.Failing))
	rep := h.explain(explain.Query{})
	if len(rep.Differences) > 0 {
		t.Errorf("differences %+v", rep.Differences)
	}
	lapse := rep.Timeline[2]
	if lapse.Action != incident.Resolve || lapse.Count != 0 || !strings.Contains(lapse.Words, "none has named it for 1 hour 9 minutes") {
		t.Errorf("the lapse: %+v", lapse)
	}
	if len(rep.Episodes) != 2 {
		t.Errorf("episodes %+v", rep.Episodes)
	}
}

// TestLongHistoriesStayShort: 100,000 observations in the shortest possible runs give a
// time line of bounded length that counts every observation.
func TestLongHistoriesStayShort(t *testing.T) {
	const ticks = 50_000
	h := newHistory(t, incident.DefaultPolicy())
	h.policy.Cooldown = 0
	random := rand.New(rand.NewPCG(1, 2))
	all := []observation.Observation{seen("two", -1, observation.Failing)}
	for minute := range ticks {
		// Source two never reports healthy, so nothing resolves.
		batch := []observation.Observation{
			seen("one", minute, verdicts[random.IntN(3)]), seen("two", minute, verdicts[2*random.IntN(2)]),
		}
		inOrder(batch)
		all = append(all, batch...)
	}
	h.decide(all[0])
	for _, o := range all[1:] {
		h.state, _, _ = incident.Decide(h.state, o, h.policy)
	}
	x := explain.Explainer{Store: &longStore{Store: h.store, all: all}, Config: h.config()}
	rep, err := x.Explain(t.Context(), explain.Found{Key: key, By: explain.ByKey}, explain.Query{})
	if err != nil {
		t.Fatal(err)
	}
	counted, silent := 0, 0
	for _, e := range rep.Timeline {
		counted += e.Count
	}
	for _, n := range rep.Episodes[0].Silent {
		silent += n
	}
	if counted != len(all) || silent != len(all)-1 || len(rep.Timeline) > 2001 {
		t.Errorf("%d observations in %d lines, %+v", counted, len(rep.Timeline), rep.Episodes)
	}
	if len(rep.Differences) > 0 {
		t.Errorf("differences %+v", rep.Differences)
	}
}
