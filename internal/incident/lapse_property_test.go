package incident

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/observation"
)

// TestKnowingMoreOnlyPutsALapseOff checks why a sweep may read little: a key that would
// not lapse if its sources were removed does not lapse whatever they answer, and a
// further observation never makes a key lapse.
func TestKnowingMoreOnlyPutsALapseOff(t *testing.T) {
	lapsed := 0
	rapid.Check(t, func(t *rapid.T) {
		tick := rapid.IntRange(0, 200)
		p := policy(func(p *Policy) {
			p.StaleAfter = time.Duration(rapid.IntRange(0, 90).Draw(t, "stale after")) * time.Minute
		})
		s := State{
			Key: "k", Open: rapid.Bool().Draw(t, "open"), FailingStreak: rapid.IntRange(0, 2).Draw(t, "streak"),
			LastFailing: minute(tick.Draw(t, "failing")), LastHealthy: minute(tick.Draw(t, "healthy")),
			Sources: map[string]SourceVerdict{},
		}
		h := Heard{Answering: map[string]Answering{}, Observed: minute(tick.Draw(t, "observed"))}
		for _, id := range []string{"a", "b"} {
			if rapid.Bool().Draw(t, id+" spoke") {
				s.Sources[id] = SourceVerdict{
					Verdict: rapid.SampledFrom([]observation.Verdict{observation.Failing, observation.Healthy}).Draw(t, id+" said"),
					Tick:    minute(tick.Draw(t, id+" at")), Until: minute(tick.Draw(t, id+" until")),
				}
			}
			if rapid.Bool().Draw(t, id+" is configured") {
				since := tick.Draw(t, id+" since")
				h.Answering[id] = answering(since, since+rapid.IntRange(0, 200).Draw(t, id+" for"))
			}
		}
		now := minute(rapid.IntRange(0, 400).Draw(t, "now"))
		_, _, all := Lapse(s, now, p, h)
		_, _, unobserved := Lapse(s, now, p, Heard{Answering: h.Answering})
		_, _, none := Lapse(s, now, p, Heard{})
		if all.Code == Lapsed {
			lapsed++
			if unobserved.Code != Lapsed || none.Code != Lapsed {
				t.Fatalf("lapses with all that is known, but %s without observations and %s without anything", unobserved, none)
			}
		}
	})
	if lapsed == 0 {
		t.Error("nothing ever lapsed, so nothing was shown")
	}
}
