package scenario_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// silent returns a rig whose one source lists only what fails, so that absence proves
// nothing, and whose policy ends an incident after five minutes without a report.
func silent(t *testing.T, s store) (*rig, *vendor) {
	v := newVendor()
	r := newRig(t, s, v)
	p := incident.DefaultPolicy()
	staleAfterFive(&p)
	r.setPolicy(p)
	r.cfg.Sources[0].Absent = config.AbsentUnknown
	return r, v
}

func TestCaseR7TheResolveSaysNoLongerReported(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r, v := silent(t, s)
		r.play(v, "F A A A A A")
		posts := r.messagesTo(slackDest)
		if len(posts) != 2 {
			t.Fatalf("%d messages, want an open and a resolve", len(posts))
		}
		for _, m := range r.inbox.Messages()[2:] {
			text := string(m.Body)
			if !strings.Contains(strings.ToLower(text), "no longer reported") || strings.Contains(strings.ToLower(text), "recovered") {
				t.Errorf("the resolve to %s says\n%s", m.Target, text)
			}
		}
		log, err := s.Decisions(t.Context(), r.state().Key)
		if err != nil || len(log) != 2 {
			t.Fatalf("the log is %+v, %v", log, err)
		}
		d := log[1]
		if d.Action != incident.Resolve || d.Reason != "lapsed last=2026-03-01T12:00:00Z" || !d.Tick.Equal(noon.Add(5*time.Minute)) ||
			d.Source != "vendor" || d.PolicyHash != r.cfg.Sources[0].Policy.Hash() {
			t.Errorf("decided %+v", d)
		}
		if st := r.state(); st.Active() || st.DecisionSeq != 2 {
			t.Errorf("the incident is still %+v", st)
		}
	})
}

// TestCaseR7NobodyAsked: without polls, such as while the schedule is off, nothing
// lapses.
func TestCaseR7NobodyAsked(t *testing.T) {
	r, v := silent(t, memory.New())
	r.play(v, "F A A")
	for n := 3; n < 30; n++ {
		r.lapse(noon.Add(time.Duration(n) * time.Minute))
	}
	if got := r.toldEqually(); got != "-" {
		t.Errorf("told %s while nobody asked the vendor", got)
	}
}

// TestCaseR7DecideLagsBehind: an observation that decide has not folded yet keeps an
// incident from lapsing.
func TestCaseR7DecideLagsBehind(t *testing.T) {
	r, v := silent(t, memory.New())
	r.play(v, "F")
	for n := 1; n < 9; n++ {
		r.now = noon.Add(time.Duration(n) * time.Minute)
		if err := r.poller().Poll(t.Context(), noon.Add(time.Duration(n)*time.Minute)); err != nil {
			t.Fatal(err)
		}
		if err := r.lapseAsOf(noon.Add(time.Duration(n) * time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	r.pump()
	if got := r.toldEqually(); got != "-" {
		t.Errorf("told %s although the failure goes on", got)
	}
}

func TestCaseR7ASourceThatIsNoLongerConfigured(t *testing.T) {
	for name, keepOwner := range map[string]bool{"its owner stays": true, "its owner is gone too": false} {
		t.Run(name, func(t *testing.T) {
			r, v := silent(t, memory.New())
			r.play(v, "F")
			owner := r.cfg.Owners["payments"]
			staleAfterFive(&owner.Policy)
			r.cfg.Owners["payments"] = owner
			r.cfg.Sources = nil
			last := 5
			if !keepOwner {
				r.cfg.Owners = nil
				last = 60 // the default stale_after
			}
			r.tick(last - 1)
			if got := r.toldEqually(); got != "-" {
				t.Fatalf("told %s before stale_after was over", got)
			}
			r.tick(last)
			if got := r.toldEqually(); got != "resolve" {
				t.Errorf("told %s, want those resolved who were told of it", got)
			}
			var delivered int64
			for _, u := range r.usage() {
				if u.Owner != "payments" {
					t.Errorf("charged to %q", u.Owner)
				}
				if u.CostCenter == "CC-1" {
					delivered += u.Delivered
				}
			}
			if want := map[bool]int64{true: 4, false: 2}[keepOwner]; delivered != want {
				t.Errorf("%d deliveries are charged to the cost center, want %d", delivered, want)
			}
		})
	}
}

// TestCaseR7APollOfTheVeryTick: a sweep and the polls of its minute run concurrently.
// The poll's observation counts, whichever is first.
func TestCaseR7APollOfTheVeryTick(t *testing.T) {
	r, v := silent(t, memory.New())
	r.play(v, "F A A A A")
	last := noon.Add(5 * time.Minute)
	if err := r.lapser().Lapse(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	v.set("vendor", listingFor(t, 'F'))
	r.tick(5)
	if got := r.toldEqually(); got != "-" {
		t.Errorf("told %s although the failure was reported again in time", got)
	}
}

// TestAnUnreachableSourceStaysTold: a reachability incident lapses no sooner than any
// other, since every poll asks its source.
func TestAnUnreachableSourceStaysTold(t *testing.T) {
	r, v := silent(t, memory.New())
	r.play(v, "E E E")
	for n := 3; n < 30; n++ {
		r.lapse(noon.Add(time.Duration(n) * time.Minute))
	}
	r.tick(30)
	if got := r.toldEqually(); got != "-" {
		t.Errorf("told %s while the source cannot be read", got)
	}
}

// TestCaseR7LosesARaceAgainstAFailure: a failure that is folded between the read and
// the write of a lapse wins: the row is read again, and has evidence.
func TestCaseR7LosesARaceAgainstAFailure(t *testing.T) {
	for _, required := range []int{1, 2} {
		op := map[int]string{1: "Commit", 2: "Save"}[required]
		t.Run(op, func(t *testing.T) {
			mem := memory.New()
			r, v := silent(t, mem)
			p := r.cfg.Sources[0].Policy
			p.FailingRequired = required
			r.setPolicy(p)
			r.play(v, "F A A A A")
			// The poll of this tick is over, and its listing lacks the key; the
			// sweep is about to write.
			if err := r.poller().Poll(t.Context(), noon.Add(5*time.Minute)); err != nil {
				t.Fatal(err)
			}
			var raced atomic.Bool
			mem.SetHook(func(ctx context.Context, c memory.Call) error {
				if c.Op != op || c.Phase != memory.Before || !raced.CompareAndSwap(false, true) {
					return nil
				}
				late := observed(noon.Add(4*time.Minute+30*time.Second), observation.Failing)
				if failed := r.decider().Decide(ctx, []observation.Observation{late}); len(failed) > 0 {
					return fmt.Errorf("decide: %v", failed)
				}
				return nil
			})
			r.lapse(noon.Add(5 * time.Minute))
			st := r.state()
			if !raced.Load() || !st.Active() || st.Episode != 1 || !st.Open {
				t.Errorf("raced %v, the incident is %+v", raced.Load(), st)
			}
		})
	}
}

func TestTwoSweepsAtOnceEndAnIncidentOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r, v := silent(t, s)
		r.play(v, "F A A A A")
		if err := r.poller().Poll(t.Context(), noon.Add(5*time.Minute)); err != nil {
			t.Fatal(err)
		}
		sweep := func() {
			if err := r.lapseAsOf(noon.Add(5 * time.Minute)); err != nil {
				t.Errorf("lapse: %v", err)
			}
		}
		sideBySide(sweep, sweep, sweep)
		r.pumpOutbox()
		if got := r.toldEqually(); got != "resolve" {
			t.Errorf("told %s", got)
		}
	})
}

// calls counts the operations of a store.
func calls(mem *memory.Store) map[string]int {
	var mu sync.Mutex
	n := map[string]int{}
	mem.SetHook(func(_ context.Context, c memory.Call) error {
		if c.Phase == memory.Before {
			mu.Lock()
			defer mu.Unlock()
			n[c.Op]++
		}
		return nil
	})
	return n
}

// TestLapsingAsksLittle: a sweep reads only incidents that would lapse, and the runs
// of each of their sources once.
func TestLapsingAsksLittle(t *testing.T) {
	mem := memory.New()
	r, v := silent(t, mem)
	var items []observation.Item
	for i := range 20 {
		items = append(items, item(fmt.Sprint("card", i), observation.Failing))
	}
	v.set("vendor", whole(items...))
	r.tick(0)
	v.set("vendor", whole())
	for n := 1; n < 5; n++ {
		r.tick(n)
	}
	v.set("vendor", broken("HTTP 500"))
	if err := r.poller().Poll(t.Context(), noon.Add(5*time.Minute)); err != nil {
		t.Fatal(err)
	}
	n := calls(mem)
	lapseAt := func(minute int) {
		t.Helper()
		clear(n)
		if err := r.lapseAsOf(noon.Add(time.Duration(minute) * time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	lapseAt(4)
	if n["ActiveKeys"] != 1 || n["States"] != 1 || len(n) != 2 {
		t.Errorf("with recent evidence: %v, want the active incidents and nothing else", n)
	}
	lapseAt(6)
	if n["Runs"] != 1 || len(n) != 3 {
		t.Errorf("with a source that does not answer: %v, want its runs and nothing else", n)
	}
}

func TestALapseThatCannotBeLookedAtIsReported(t *testing.T) {
	for _, op := range []string{"ActiveKeys", "States", "Runs", "NewestObservation", "Commit"} {
		t.Run(op, func(t *testing.T) {
			mem := memory.New()
			r, v := silent(t, mem)
			r.play(v, "F A A A A")
			if err := r.poller().Poll(t.Context(), noon.Add(5*time.Minute)); err != nil {
				t.Fatal(err)
			}
			mem.SetHook(failNth(op, memory.Before, 1))
			err := r.lapseAsOf(noon.Add(5 * time.Minute))
			if err == nil || !strings.Contains(err.Error(), "injected fault before "+op) {
				t.Errorf("got %v", err)
			}
			// The next sweep does it.
			r.lapse(noon.Add(6 * time.Minute))
			if got := r.toldEqually(); got != "resolve" {
				t.Errorf("told %s", got)
			}
		})
	}
}

// TestCaseR3OpenForLongerThanEverythingThatExpires is case R3: at the end of a long
// incident, all rows with a time to live have expired: observations and poll runs. The
// incident itself is kept.
func TestCaseR3OpenForLongerThanEverythingThatExpires(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	p := incident.DefaultPolicy()
	p.Cooldown = 10 * time.Minute
	r.setPolicy(p)
	r.play(v, "F")
	const day = 24 * 60
	r.tick(20 * day)
	if got := r.toldEqually(); got != "remind" {
		t.Fatalf("after twenty days: told %s", got)
	}
	r = r.expired()
	for _, step := range []struct {
		minute int
		letter byte
		want   string
	}{{1, 'F', "-"}, {9, 'F', "-"}, {10, 'F', "remind"}, {11, 'A', "-"}, {12, 'A', "resolve"}} {
		v.set("vendor", listingFor(t, step.letter))
		r.tick(20*day + step.minute)
		if got := r.toldEqually(); got != step.want {
			t.Errorf("%d minutes after the reminder: told %s, want %s", step.minute, got, step.want)
		}
	}
	if st := r.state(); st.Episode != 1 || st.Open {
		t.Errorf("the incident ended as %+v", st)
	}
}

// expired returns the rig with a store that holds nothing but the incidents.
func (r *rig) expired() *rig {
	r.t.Helper()
	kept := memory.New()
	err := r.tap.Incidents(r.t.Context(), func(s incident.State) error {
		s.Version = 0
		return kept.Save(r.t.Context(), s)
	})
	if err != nil {
		r.t.Fatal(err)
	}
	fresh := newRig(r.t, kept, r.fetch)
	fresh.cfg, fresh.now = r.cfg, r.now
	return fresh
}
