package incident

import (
	"strings"
	"testing"
	"time"
)

func damped() Policy {
	return policy(func(p *Policy) {
		p.HealthyRequired = 1
		p.Cooldown = 5 * time.Minute
		p.FlapEpisodes, p.FlapWindow, p.FlapStableTicks = 3, time.Hour, 10
	})
}

func TestFlapping(t *testing.T) {
	for _, c := range []struct {
		name, events string
		want         []string
	}{
		{
			"the third open is the one notice, whatever follows",
			run("FHFHF" + strings.Repeat("HFFHHFFFFF", 12)),
			[]string{"F0 open", "H1 resolve", "F2 open", "H3 resolve", "F4 open"},
		},
		{
			"stable health ends it",
			run("FHFHF" + strings.Repeat("H", 12)),
			[]string{"F0 open", "H1 resolve", "F2 open", "H3 resolve", "F4 open", "H14 resolve"},
		},
		{
			"nine healthy ticks are not stable",
			run("FHFHF" + strings.Repeat("H", 9) + "F" + strings.Repeat("H", 9)),
			[]string{"F0 open", "H1 resolve", "F2 open", "H3 resolve", "F4 open"},
		},
		{
			"stable failure ends it too: reminders go on by the cooldown, and resolve by the usual count",
			run("FHFHF" + strings.Repeat("F", 15) + "H"),
			[]string{"F0 open", "H1 resolve", "F2 open", "H3 resolve", "F4 open", "F13 remind", "F18 remind", "H20 resolve"},
		},
		{
			"episodes outside the window do not count",
			"F0 H1 F30 H31 F60 H61",
			[]string{"F0 open", "H1 resolve", "F30 open", "H31 resolve", "F60 open", "H61 resolve"},
		},
		{
			"a fourth episode inside the window is flapping from its start",
			run("FHFHF"+strings.Repeat("H", 10)+"F") + runFrom(16, "HHHF"),
			[]string{"F0 open", "H1 resolve", "F2 open", "H3 resolve", "F4 open", "H14 resolve", "F15 open"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			log, _ := fold(t, damped(), c.events)
			wantActs(t, log, c.want...)
		})
	}
}

func TestFlappingSaysSo(t *testing.T) {
	log, s := fold(t, damped(), run("FHFHFFHF"))
	wantLine(t, log, "F4 open flapping n=3 window=1h0m0s")
	wantLine(t, log, "F5 none flap_damped 2/10")
	wantLine(t, log, "H6 none healthy_streak 1/10")
	wantLine(t, log, "F7 none flap_damped 1/10")
	if next := s.NextReminder(damped()); !next.IsZero() {
		t.Errorf("next reminder: got %s, want none while flapping", next)
	}
}

func TestFlappingEndsWithTheEpisode(t *testing.T) {
	if _, s := fold(t, damped(), run("FHFHF")); !s.Flapping {
		t.Error("not flapping at the third open")
	}
	if _, s := fold(t, damped(), run("FHFHFHHHHHHHHHH")); s.Flapping || s.Open {
		t.Errorf("after stable health: flapping %t, open %t", s.Flapping, s.Open)
	}
}

// Turning damping off ends the flapping of a key.
func TestFlapDampingSwitchedOff(t *testing.T) {
	_, s := fold(t, damped(), run("FHFHF"))
	off := damped()
	off.FlapEpisodes = 0
	if _, a, _ := Decide(s, observe(t, "F9"), off); a != Remind {
		t.Errorf("failing: got %s, want remind by the cooldown", a)
	}
	if _, a, _ := Decide(s, observe(t, "H9"), off); a != Resolve {
		t.Errorf("healthy: got %s, want resolve by the usual count", a)
	}
}

func TestRecentOpensAreBounded(t *testing.T) {
	p := damped()
	p.FlapStableTicks = 1
	_, s := fold(t, p, run(strings.Repeat("FH", 200)))
	if len(s.RecentOpens) > p.FlapEpisodes {
		t.Errorf("the state keeps %d opens, want at most %d", len(s.RecentOpens), p.FlapEpisodes)
	}
}
