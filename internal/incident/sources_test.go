package incident

import (
	"testing"
	"time"
)

func TestSeveralSources(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy Policy
		events string
		want   []string
	}{
		{
			"a tick counts once, however many report it",
			policy(func(p *Policy) { p.FailingRequired = 3; p.HealthyRequired = 3 }),
			"F0 b:F0 F1 b:F1 b:F2 F2 H3 b:H3 H4 b:H4 b:H5 H5",
			[]string{"b:F2 open", "b:H5 resolve"},
		},
		{
			"one failing source holds the incident open",
			policy(func(p *Policy) { p.HealthyRequired = 1 }),
			"F0 b:F0 H1 b:F1 H2 b:F2 H3 b:H3",
			[]string{"F0 open", "b:H3 resolve"},
		},
		{
			"at one tick failing outranks healthy: failing reported first",
			policy(func(p *Policy) { p.HealthyRequired = 2 }),
			"F0 b:H0 b:F1 H1 b:H2 H2 H3",
			[]string{"F0 open", "H3 resolve"},
		},
		{
			"at one tick failing outranks healthy: healthy reported first",
			policy(func(p *Policy) { p.HealthyRequired = 2 }),
			"b:H0 F0 H1 b:F1 b:H2 H2 H3",
			[]string{"F0 open", "H3 resolve"},
		},
		{
			"a streak goes on when the other source's healthy came first",
			policy(func(p *Policy) { p.FailingRequired = 2 }),
			"F0 H1 b:F1",
			[]string{"b:F1 open"},
		},
		{
			"and when it came last",
			policy(func(p *Policy) { p.FailingRequired = 2 }),
			"F0 b:F1 H1",
			[]string{"b:F1 open"},
		},
		{
			"a late failing tick joins the streak that a newer healthy tick ended",
			policy(func(p *Policy) { p.FailingRequired = 2 }),
			"F0 H2 b:F1",
			[]string{"b:F1 open"},
		},
		{
			"but not one that had ended before it",
			policy(func(p *Policy) { p.FailingRequired = 2 }),
			"F0 H1 H3 b:F2", nil,
		},
		{
			"a slow source that always reports late still opens and still resolves",
			policy(nil),
			"H5 H6 b:F5 H7 H8 H9 H10 H11 b:H10 H12",
			[]string{"b:F5 open", "H12 resolve"},
		},
		{
			"a failing tick older than the last failing one is only its source's word",
			policy(func(p *Policy) { p.FailingRequired = 3; p.HealthyRequired = 1 }),
			"F5 b:F3 b:F4 H6 b:H6", nil,
		},
		{
			"a resolve is not taken back by its own tick: that opens anew",
			policy(nil), "F0 H1 H2 b:F2",
			[]string{"F0 open", "H2 resolve", "b:F2 open"},
		},
		{
			"nor does it go on with the streak of the episode that ended",
			policy(func(p *Policy) { p.FailingRequired = 2; p.HealthyRequired = 1 }),
			"F0 F1 H2 b:F2 b:F3",
			[]string{"F1 open", "H2 resolve", "b:F3 open"},
		},
		{
			"a late open does not put the cooldown's clock back",
			policy(nil), "F0 H39 H40 b:F5 b:F36 b:F69 b:F70",
			[]string{"F0 open", "H40 resolve", "b:F5 open", "b:F70 remind"},
		},
		{
			"a source in an outage holds the incident open until it is stale",
			policy(nil), "b:F0 b:U1 H1 H2 b:U3 H59 H60 H61",
			[]string{"b:F0 open", "H61 resolve"},
		},
		{
			"never stale: it holds it open for ever",
			policy(func(p *Policy) { p.StaleAfter = 0; p.Cooldown = 0 }),
			"b:F0 H1 H600 H6000 b:H6001 H6001 H6002",
			[]string{"b:F0 open", "H6002 resolve"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			log, _ := fold(t, c.policy, c.events)
			wantActs(t, log, c.want...)
		})
	}
}

func TestOtherSourceIsNamed(t *testing.T) {
	log, _ := fold(t, DefaultPolicy(), "c:F0 b:F0 H1")
	wantLine(t, log, "H1 none other_source_failing source=b")
}

// A source's verdict expires by its own policy: that of an hourly source does not expire
// by the policy of one that is polled every minute.
func TestStalenessIsTheSourcesOwn(t *testing.T) {
	hourly, minutely := policy(func(p *Policy) { p.StaleAfter = 3 * time.Hour }), policy(func(p *Policy) { p.StaleAfter = 10 * time.Minute })
	s, _, _ := Decide(State{}, observe(t, "hourly:F0"), hourly)
	for _, m := range []int{11, 12, 100, 179} {
		var a Action
		if s, a, _ = Decide(s, observe(t, "H"+itoa(m)), minutely); a != None {
			t.Fatalf("minute %d: got %s while the hourly source's word stands", m, a)
		}
	}
	s, _, _ = Decide(s, observe(t, "H180"), minutely)
	if _, a, _ := Decide(s, observe(t, "H181"), minutely); a != Resolve {
		t.Errorf("minute 181: got %s, want resolve: the hourly source has been silent for 3 h", a)
	}
}

// A source whose policy needs one failing tick opens at it, also when another, which
// needs more, has counted that tick before it.
func TestEverySourceOpensByItsOwnPolicy(t *testing.T) {
	slow, quick := policy(func(p *Policy) { p.FailingRequired = 3 }), policy(nil)
	for _, events := range [][]string{{"slow:F0", "quick:F0"}, {"quick:F0", "slow:F0"}} {
		s, opens := State{}, 0
		for _, e := range events {
			o, p := observe(t, e), slow
			if o.Source == "quick" {
				p = quick
			}
			var a Action
			var r Reason
			if s, a, r = Decide(s, o, p); a == Open {
				opens++
				if o.Source != "quick" || r.String() != "failing_streak 1/1" {
					t.Errorf("%v: %s opens, %s", events, o.Source, r)
				}
			}
		}
		if opens != 1 || s.FailingStreak != 1 || s.Source != "quick" {
			t.Errorf("%v: %d opens, streak %d, told of %s", events, opens, s.FailingStreak, s.Source)
		}
	}
}

// A key must stay watched while any source's last verdict is failing, or its recovery
// would never be reported.
func TestActive(t *testing.T) {
	for _, c := range []struct {
		events string
		want   bool
	}{
		{"H0", false},
		{"U0", false},
		{"F0", true},
		{"F0 H1", true},
		{"F0 H1 H2", false},
		{"F5 H6 H7 b:F4", true},
		{"F5 H6 H7 b:F4 b:H8", false},
		// b has expired, which the resolving healthy tick has recorded.
		{"b:F0 H60 H61", false},
	} {
		if _, s := fold(t, DefaultPolicy(), c.events); s.Active() != c.want {
			t.Errorf("%s: active is %t, want %t", c.events, s.Active(), c.want)
		}
	}
}

func TestKeepSources(t *testing.T) {
	_, s := fold(t, policy(func(p *Policy) { p.HealthyRequired = 1 }), "F0 gone:F0 H1")
	kept := s.KeepSources(func(id string) bool { return id != "gone" })
	if _, ok := kept.Sources["gone"]; ok || len(s.Sources) != 2 {
		t.Fatalf("kept %v of %v", kept.Sources, s.Sources)
	}
	if _, a, r := Decide(kept, observe(t, "H2"), policy(func(p *Policy) { p.HealthyRequired = 1 })); a != Resolve {
		t.Errorf("got %s %s, want resolve once the removed source is forgotten", a, r)
	}
}

// A removed source holds nothing open, but its past verdicts still count: a healthy tick
// from before them does not.
func TestRemovedSourcesTicksStillCount(t *testing.T) {
	_, s := fold(t, DefaultPolicy(), "gone:F5")
	s = s.KeepSources(func(id string) bool { return id != "gone" })
	if next, _, r := Decide(s, observe(t, "H4"), DefaultPolicy()); r.Code != TickCounted || next.HealthyStreak != 0 {
		t.Errorf("got %s, healthy streak %d", r, next.HealthyStreak)
	}
}

func TestInOrder(t *testing.T) {
	want := []string{"b:H0", "b:F1", "U1", "c:U1", "H1", "c:H1", "F2"}
	for i := range want {
		for j := range want {
			got := InOrder(observe(t, want[i]), observe(t, want[j]))
			if (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("InOrder(%s, %s) = %d", want[i], want[j], got)
			}
		}
	}
}
