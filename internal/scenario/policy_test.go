package scenario_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestThePolicyOfEveryDecisionIsKept: each decision names its policy, whose content
// can be read as long as the decision is kept.
func TestThePolicyOfEveryDecisionIsKept(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.play(v, "F")
		changed := incident.DefaultPolicy()
		changed.HealthyRequired = 1
		r.setPolicy(changed)
		v.set("vendor", whole())
		r.tick(1)
		log, err := s.Decisions(t.Context(), r.state().Key)
		if err != nil || len(log) != 2 {
			t.Fatalf("the log is %+v, %v", log, err)
		}
		for i, want := range []incident.Policy{incident.DefaultPolicy(), changed} {
			content, err := s.Policy(t.Context(), log[i].PolicyHash)
			if err != nil {
				t.Fatal(err)
			}
			var got incident.Policy
			if err := json.Unmarshal(content, &got); err != nil || got != want || got.Hash() != log[i].PolicyHash {
				t.Errorf("decision %d: policy %s is %s (%v)", i+1, log[i].PolicyHash, content, err)
			}
		}
	})
}

func TestAPolicyIsWrittenOnceByAProcess(t *testing.T) {
	mem := memory.New()
	r := newRig(t, mem, newVendor())
	n := calls(mem)
	process := r.decider()
	for minute, verdict := range []observation.Verdict{observation.Failing, observation.Healthy, observation.Healthy, observation.Failing} {
		o := observed(noon.Add(time.Duration(minute)*time.Minute), verdict)
		if failed := process.Decide(t.Context(), []observation.Observation{o}); len(failed) > 0 {
			t.Fatal(failed)
		}
		if minute == 0 && n["PutPolicy"] != 1 {
			t.Fatalf("%d writes of the policy by the first decision", n["PutPolicy"])
		}
	}
	if n["Commit"] != 3 || n["PutPolicy"] != 1 {
		t.Errorf("%d decisions wrote the policy %d times", n["Commit"], n["PutPolicy"])
	}
}

// TestAPolicyThatCannotBeKeptHoldsUpNoIncident: an incident is told even if the
// policy's content cannot be stored; the next decision stores it.
func TestAPolicyThatCannotBeKeptHoldsUpNoIncident(t *testing.T) {
	mem := memory.New()
	v := newVendor()
	r := newRig(t, mem, v)
	mem.SetHook(failNth("PutPolicy", memory.Before, 1))
	if got := r.play(v, "F"); got[0] != "open" {
		t.Fatalf("told %v", got)
	}
	v.set("vendor", whole())
	r.tick(1)
	r.tick(2)
	if content, err := mem.Policy(t.Context(), incident.DefaultPolicy().Hash()); err != nil || len(content) == 0 {
		t.Errorf("after the resolve the policy is %q, %v", content, err)
	}
}

// TestAChangedConfigurationTellsNobodyByItself: no change of the configuration tells
// anybody. The next reminder is due one new cooldown after the last message.
func TestAChangedConfigurationTellsNobodyByItself(t *testing.T) {
	minutes := func(n int) time.Duration { return time.Duration(n) * time.Minute }
	for _, c := range []struct {
		name string
		// change is made after the tick of minute 12. The open is at 0 and, with
		// a cooldown of 10 minutes, the reminders at 10, 20, …
		change func(*incident.Policy)
		// next is the minute of the next notice, of the given kind.
		next int
		kind string
	}{
		{"a longer cooldown", func(p *incident.Policy) { p.Cooldown = minutes(15) }, 25, "remind"},
		{"a shorter cooldown", func(p *incident.Policy) { p.Cooldown = minutes(5) }, 15, "remind"},
		{"a cooldown that was over already", func(p *incident.Policy) { p.Cooldown = minutes(1) }, 13, "remind"},
		{"growth, which counts the reminders already sent", func(p *incident.Policy) { p.CooldownGrowth = 2 }, 30, "remind"},
		{"a limit that is reached already", func(p *incident.Policy) { p.MaxReminders = 1 }, 0, ""},
		{"no reminders any more", func(p *incident.Policy) { p.Cooldown = 0 }, 0, ""},
		{"a higher threshold", func(p *incident.Policy) { p.FailingRequired = 100 }, 20, "remind"},
		{"flap damping", func(p *incident.Policy) { p.FlapEpisodes, p.FlapWindow, p.FlapStableTicks = 2, time.Hour, 5 }, 20, "remind"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newVendor()
			r := newRig(t, memory.New(), v)
			p := incident.DefaultPolicy()
			p.Cooldown = minutes(10)
			r.setPolicy(p)
			v.set("vendor", listingFor(t, 'F'))
			for n := range 13 {
				r.tick(n)
			}
			r.told()
			c.change(&p)
			r.setPolicy(p)
			// Only the configuration changes: every function runs without news.
			r.tick(12)
			r.lapse(noon.Add(minutes(12)))
			if got := r.toldEqually(); got != "-" {
				t.Fatalf("told %s by the change", got)
			}
			for n := 13; n <= 30; n++ {
				r.tick(n)
				want := "-"
				if n == c.next {
					want = c.kind
				}
				if got := r.toldEqually(); got != want {
					t.Fatalf("minute %d: told %s, want %s", n, got, want)
				}
				if n == c.next {
					return
				}
			}
		})
	}
}

// TestCaseF4NoMoreRemindersThanAreAllowed is case F4: an incident is open for ten days
// and polled every half hour.
func TestCaseF4NoMoreRemindersThanAreAllowed(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	p := incident.DefaultPolicy()
	p.MaxReminders = 3
	r.setPolicy(p)
	v.set("vendor", listingFor(t, 'F'))
	const ticks = 10 * 24 * 2
	for n := range ticks {
		r.tick(30 * n)
	}
	v.set("vendor", listingFor(t, 'A'))
	r.tick(30 * ticks)
	r.tick(30*ticks + 1)
	if got := r.toldEqually(); got != "open+remind+remind+remind+resolve" {
		t.Errorf("told %s", got)
	}
}

// TestCaseU6AVendorWhoseClockIsOff is case U6: no decision depends on the vendor's
// clock.
func TestCaseU6AVendorWhoseClockIsOff(t *testing.T) {
	for _, at := range []time.Time{noon.AddDate(-25, 0, 0), noon.AddDate(60, 0, 0)} {
		v := newVendor()
		r := newRig(t, memory.New(), v)
		var told []string
		for n, verdict := range []observation.Verdict{observation.Failing, observation.Failing, observation.Healthy, observation.Healthy} {
			it := item("card", verdict)
			it.Evidence.FirstSeen, it.Evidence.LastSeen = at, at.Add(time.Duration(-n)*time.Hour)
			v.set("vendor", whole(it))
			r.tick(n)
			told = append(told, r.toldEqually())
		}
		if got := strings.Join(told, " "); got != "open - - resolve" {
			t.Errorf("with times of %d: told %s", at.Year(), got)
		}
	}
}
