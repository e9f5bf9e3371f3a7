package faults_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
)

// looked wants a message that Slack has shown to be neither shown again nor held, but
// where a look was kept from seeing it, or a worker slept between its last look at the
// clock and the post.
func (v *verdict) looked(d delivery.Delivery) {
	if v.w.slack == nil || d.Destination != plain || v.w.blind {
		return
	}
	shown, _ := v.w.receivers[plain].times(d.ID)
	if shown > 1 {
		v.complain("%s: shown %d times, though a look finds it", name(d), shown)
	}
	if d.State == delivery.Held && v.w.receivers[plain].has(d.ID) {
		v.complain("%s: held, though a look finds it", name(d))
	}
}

// near reports whether a look is at most a few places away: what leads to it, and what
// is made of it.
func (w *world) near(place int) bool {
	const few = 3
	return slices.Contains(w.seen[max(place-few, 0):min(place+few+1, len(w.seen))], look)
}

// TestEveryFaultWhereABotLooks: a message is in doubt, once or twice, and where the bot
// looks for it something goes wrong as well.
func TestEveryFaultWhereABotLooks(t *testing.T) {
	s := further[slices.IndexFunc(further, func(s story) bool { return s.looks })]
	n := 0
	at := func(faults []planned, what string, f fault) []planned {
		whats, after := play(s, memory.New(), faults).whats, 0
		if len(faults) > 0 {
			after = faults[len(faults)-1].place + 1
		}
		next := slices.Index(whats[after:], what)
		if next < 0 {
			return nil // it is not sent again
		}
		return append(slices.Clone(faults), planned{after + next, slices.Index(possible[send], f)})
	}
	for _, action := range []incident.Action{incident.Open, incident.Remind, incident.Resolve} {
		what := "send " + string(action) + " to " + plain
		for _, doubt := range []fault{acceptAndClose, hang, killSent} {
			once := at(nil, what, doubt)
			for _, base := range [][]planned{once, at(once, what, acceptAndClose), at(once, what, hang)} {
				if base == nil {
					continue
				}
				w := play(s, memory.New(), base)
				report(t, w, fmt.Sprintf("%q with %s of %s", s.name, doubt, action))
				for place, c := range w.seen {
					if place <= base[len(base)-1].place || !w.near(place) || place%nth != 0 {
						continue
					}
					for choice, f := range possible[c] {
						n++
						w := play(s, memory.New(), append(slices.Clone(base), planned{place, choice}))
						report(t, w, fmt.Sprintf("%q with %s at %d, where %s of %s is looked for", s.name, f, place, doubt, action))
					}
				}
			}
		}
	}
	t.Logf("%d schedules in which something goes wrong where a bot looks", n)
}
