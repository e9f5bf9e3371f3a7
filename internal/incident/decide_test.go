package incident

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

func TestCases(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy Policy
		events string
		want   []string
	}{
		{
			"case D7: an hour of failing, cooldown 4 h, is one open",
			policy(func(p *Policy) { p.Cooldown = 4 * time.Hour }),
			run(strings.Repeat("F", 60)),
			[]string{"F0 open"},
		},
		{
			"case R2: recovered before failing_required tells nobody",
			policy(func(p *Policy) { p.FailingRequired = 3 }),
			run("FFHHHFFHH"), nil,
		},
		{
			"case R4: healthy for long after the resolve is one resolve",
			policy(nil), run("FHH" + strings.Repeat("H", 20)),
			[]string{"F0 open", "H2 resolve"},
		},
		{
			"case F1: only three healthy ticks in a row resolve",
			policy(func(p *Policy) { p.HealthyRequired = 3 }),
			run("FHFHHH"),
			[]string{"F0 open", "H5 resolve"},
		},
		{
			"case F2: alternating for 4 h never resolves",
			policy(func(p *Policy) { p.Cooldown = 0 }),
			run(strings.Repeat("FH", 120)),
			[]string{"F0 open"},
		},
		{
			"case F3: failing again inside the cooldown opens at once",
			policy(nil), run("FHHF"),
			[]string{"F0 open", "H2 resolve", "F3 open"},
		},
		{
			"case F5: the policy fixture",
			policy(nil), "F0 F1 F1 H2 F3 H4 H5",
			[]string{"F0 open", "H5 resolve"},
		},
		{
			"case U3: an older tick after a newer one is stale",
			policy(func(p *Policy) { p.HealthyRequired = 1 }),
			"F0 F5 H3 F4",
			[]string{"F0 open"},
		},
		{
			"case U1: a vendor outage moves no streak, up or down",
			policy(func(p *Policy) { p.FailingRequired = 2 }),
			run("FUUUFHUUUH"),
			[]string{"F4 open", "H9 resolve"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			log, _ := fold(t, c.policy, c.events)
			wantActs(t, log, c.want...)
		})
	}
}

// Case R3: reminders and the resolve do not depend on the length of an episode, nor on
// rows that have expired meanwhile.
func TestLongEpisodeKeepsItsClock(t *testing.T) {
	p := policy(func(p *Policy) { p.Cooldown = 24 * time.Hour })
	s := State{}
	var told []string
	for day := range 200 {
		var a Action
		s, a, _ = Decide(s, observe(t, "F"+itoa(day*24*60)), p)
		told = append(told, string(a))
	}
	if n := count(told, Remind); n != 199 {
		t.Errorf("got %d reminders in 200 days, want one a day after the first", n)
	}
	s, _, _ = Decide(s, observe(t, "H"+itoa(200*24*60)), p)
	if _, a, _ := Decide(s, observe(t, "H"+itoa(201*24*60)), p); a != Resolve {
		t.Errorf("after 200 days: got %s, want resolve", a)
	}
}

// Case F4: three reminders in ten days, then silence, then the resolve.
func TestMaxReminders(t *testing.T) {
	p := policy(func(p *Policy) { p.MaxReminders = 3 })
	log, _ := fold(t, p, run(strings.Repeat("F", 10*24*60)+"HH"))
	wantActs(t, log, "F0 open", "F30 remind", "F60 remind", "F90 remind", "H14401 resolve")
	wantLine(t, log, "F91 none max_reminders 3/3")
}

// Case U6: no decision depends on a vendor's timestamps.
func TestVendorTimesDecideNothing(t *testing.T) {
	skewed := func(o observation.Observation) observation.Observation {
		o.Evidence.FirstSeen = o.Tick.Add(-400 * 24 * time.Hour)
		o.Evidence.LastSeen = o.Tick.Add(99 * time.Hour)
		o.ObservedAt = o.Tick.Add(-time.Hour)
		return o
	}
	p := DefaultPolicy()
	var plain, odd State
	for event := range strings.FieldsSeq(run(strings.Repeat("F", 40) + "HFHHF")) {
		o := observe(t, event)
		var a1, a2 Action
		var r1, r2 Reason
		plain, a1, r1 = Decide(plain, o, p)
		odd, a2, r2 = Decide(odd, skewed(o), p)
		if a1 != a2 || r1 != r2 {
			t.Fatalf("%s: %s %s, with odd vendor times %s %s", event, a1, r1, a2, r2)
		}
	}
	odd.Evidence = plain.Evidence
	if !reflect.DeepEqual(plain, odd) {
		t.Errorf("states differ:\n%+v\n%+v", plain, odd)
	}
}

func TestReasonsCarryTheirNumbers(t *testing.T) {
	p := policy(func(p *Policy) { p.FailingRequired = 2; p.HealthyRequired = 2 })
	log, _ := fold(t, p, "H0 F1 F2 F3 F32 U33 F33 F33 H34 M35 F36 F37")
	for i, want := range []string{
		"H0 none nothing_open",
		"F1 none below_threshold 1/2",
		"F2 open failing_streak 2/2",
		"F3 none cooldown_active next=2026-01-02T10:32:00Z",
		"F32 remind cooldown_elapsed reminder=1",
		"U33 none unknown_observation",
		"F33 none cooldown_active next=2026-01-02T11:02:00Z",
		"F33 none stale_observation last=2026-01-02T10:33:00Z",
		"H34 none healthy_streak 1/2",
		"M35 resolve no_longer_reported 2/2",
		"F36 none below_threshold 1/2",
		"F37 open reopened last_episode=1 last_resolved=2026-01-02T10:35:00Z",
	} {
		if log[i] != want {
			t.Errorf("event %d: got %q, want %q", i, log[i], want)
		}
	}
}

func TestReopenedOnlyWithinTheWindow(t *testing.T) {
	for _, c := range []struct{ events, want string }{
		{"F0 H1 H2 F31", "F31 open reopened last_episode=1 last_resolved=2026-01-02T10:02:00Z"},
		{"F0 H1 H2 F32", "F32 open failing_streak 1/1"},
	} {
		log, _ := fold(t, DefaultPolicy(), c.events)
		wantLine(t, log, c.want)
	}
}

// Changing the policy of an open incident sends nothing by itself. The next reminder
// follows from the last notification and the new cooldown.
func TestPolicyChangeWhileOpen(t *testing.T) {
	slow, quick := policy(func(p *Policy) { p.Cooldown = 4 * time.Hour }), policy(func(p *Policy) { p.Cooldown = 10 * time.Minute })
	_, s := fold(t, slow, run("FFFFF"))
	for m := 5; m < 10; m++ {
		var a Action
		if s, a, _ = Decide(s, observe(t, "F"+itoa(m)), quick); a != None {
			t.Fatalf("minute %d: got %s, want none before the new cooldown is over", m, a)
		}
	}
	if _, a, _ := Decide(s, observe(t, "F10"), quick); a != Remind {
		t.Errorf("minute 10: got %s, want remind, 10 minutes after the open", a)
	}
}

func TestCooldownGrows(t *testing.T) {
	p := policy(func(p *Policy) { p.Cooldown = 10 * time.Minute; p.CooldownGrowth = 2; p.CooldownMax = 30 * time.Minute })
	log, _ := fold(t, p, run(strings.Repeat("F", 100)))
	wantActs(t, log, "F0 open", "F10 remind", "F30 remind", "F60 remind", "F90 remind")
}

// Unlimited cooldown growth must not overflow into a reminder at every tick.
func TestCooldownGrowthDoesNotOverflow(t *testing.T) {
	p := policy(func(p *Policy) { p.CooldownGrowth = 100 })
	for _, n := range []int{0, 1, 10, 100, 10_000} {
		if got := p.cooldownAfter(n); got < p.Cooldown {
			t.Errorf("after %d reminders: got %s, less than the first cooldown", n, got)
		}
	}
}

func TestRemindersOff(t *testing.T) {
	p := policy(func(p *Policy) { p.Cooldown = 0 })
	log, s := fold(t, p, run(strings.Repeat("F", 100)))
	wantActs(t, log, "F0 open")
	wantLine(t, log, "F99 none reminders_off")
	if next := s.NextReminder(p); !next.IsZero() {
		t.Errorf("next reminder: got %s, want none", next)
	}
}

func TestDecideLeavesItsInputAlone(t *testing.T) {
	p := policy(func(p *Policy) { p.FlapEpisodes = 3; p.FlapWindow = time.Hour; p.FlapStableTicks = 5 })
	_, s := fold(t, p, "F0 b:F0 H1 b:H1 H2 F3")
	sources, opens := s.Sources["a"], s.RecentOpens[0]
	Decide(s, observe(t, "F50"), p)
	Decide(s, observe(t, "H50"), p)
	Decide(s, observe(t, "b:H50"), p)
	if s.Sources["a"] != sources || s.RecentOpens[0] != opens || len(s.RecentOpens) != 2 {
		t.Errorf("the input state was changed: %+v", s)
	}
}
