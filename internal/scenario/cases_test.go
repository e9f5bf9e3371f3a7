package scenario_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

func observed(tick time.Time, v observation.Verdict) observation.Observation {
	it := item("card", v)
	key, err := incident.Key(it.Kind, it.Parts)
	if err != nil {
		panic(err)
	}
	return observation.Observation{
		IncidentKey: key, Kind: it.Kind, Parts: it.Parts, Source: "vendor", Tick: tick, Verdict: v,
		Owner: "payments", Summary: it.Summary, Evidence: it.Evidence,
	}
}

// sideBySide starts the workers at the same moment.
func sideBySide(workers ...func()) {
	start := make(chan struct{})
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(func() { <-start; w() })
	}
	close(start)
	wg.Wait()
}

// eachStore runs a test on every available store.
func eachStore(t *testing.T, test func(t *testing.T, s store)) {
	t.Helper()
	onStores(t, "on", true, test)
}

// onStores runs a test in memory and, if real is set, on real tables.
func onStores(t *testing.T, name string, real bool, test func(t *testing.T, s store)) {
	t.Helper()
	t.Run(name+"/memory", func(t *testing.T) { test(t, memory.New()) })
	if real {
		t.Run(name+"/dynamodb", func(t *testing.T) { test(t, newDynamoStore(t)) })
	}
}

func TestCaseD1TheSameObservationHandledByTwoDecidersAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		o := observed(noon, observation.Failing)
		decide := func() {
			if failed := r.decider().Decide(t.Context(), []observation.Observation{o}); len(failed) > 0 {
				t.Errorf("decide: %v", failed)
			}
		}
		sideBySide(decide, decide, decide, decide)
		r.pumpOutbox()
		if got := r.toldEqually(); got != "open" {
			t.Errorf("told %s", got)
		}
		if log, err := s.Decisions(t.Context(), o.IncidentKey); err != nil || len(log) != 1 {
			t.Errorf("the decision log is %+v, %v", log, err)
		}
	})
}

func TestCaseD6TwoObservationsSecondsApartHandledSideBySide(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		decide := func(tick time.Time) func() {
			return func() {
				o := observed(tick, observation.Failing)
				if failed := r.decider().Decide(t.Context(), []observation.Observation{o}); len(failed) > 0 {
					t.Errorf("decide: %v", failed)
				}
			}
		}
		sideBySide(decide(noon), decide(noon.Add(2*time.Second)))
		r.pumpOutbox()
		if got := r.toldEqually(); got != "open" {
			t.Errorf("told %s", got)
		}
	})
}

func TestCaseD2AReplayedRecordWhileAnotherWorkerHoldsTheItem(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.inbox.Script(slackDest, inbox.ServerError())
		due := r.decideOnly(observed(noon, observation.Failing))
		deliver := func() {
			if failed := r.deliverer().Deliver(t.Context(), due); len(failed) > 0 {
				t.Errorf("deliver: %v", failed)
			}
		}
		sideBySide(deliver, deliver, deliver)
		r.now = r.now.Add(time.Minute)
		sideBySide(deliver, r.sweep)
		if got := r.toldEqually(); got != "open" {
			t.Errorf("told %s", got)
		}
	})
}

// decideOnly decides on the observations and returns what the outbox's stream carries.
// It delivers nothing.
func (r *rig) decideOnly(obs ...observation.Observation) []delivery.Due {
	r.t.Helper()
	if failed := r.decider().Decide(r.t.Context(), obs); len(failed) > 0 {
		r.t.Fatalf("decide: %v", failed)
	}
	_, due := r.tap.take()
	return due
}

func TestCaseU3AnOlderTickThatComesLateIsStale(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	// The later tick opens. An older healthy one and an older failing one arrive
	// after it and change nothing.
	r.decideOnly(observed(noon.Add(5*time.Minute), observation.Failing))
	before := r.state()
	r.decideOnly(observed(noon, observation.Healthy))
	r.decideOnly(observed(noon.Add(4*time.Minute), observation.Failing))
	if after := r.state(); after.Version != before.Version || !after.Open {
		t.Errorf("the row went from version %d to %d, open %v", before.Version, after.Version, after.Open)
	}
}

func (r *rig) state() incident.State {
	r.t.Helper()
	key := observed(noon, observation.Failing).IncidentKey
	states, err := r.tap.States(r.t.Context(), []string{key})
	if err != nil {
		r.t.Fatal(err)
	}
	return states[key]
}

func TestCaseC1RetryAfterIsHonouredForTheWholeDestination(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.inbox.Script(slackDest, inbox.RateLimited(30))
		v.set("vendor", whole(item("card", observation.Failing)))
		r.tick(0)
		started := r.now
		// Another incident for the same destination, inside the thirty seconds.
		r.now = started.Add(10 * time.Second)
		o := observed(noon.Add(time.Second), observation.Failing)
		o.IncidentKey, o.Parts = "k1/error/payment=other", []observation.Part{{Name: "payment", Value: "other"}}
		if failed := r.decider().Decide(t.Context(), []observation.Observation{o}); len(failed) > 0 {
			t.Fatal(failed)
		}
		r.pumpOutbox()
		r.now = started.Add(29 * time.Second)
		r.sweep()
		if calls := r.callsTo(slackDest); calls != 1 {
			t.Fatalf("%d calls to the destination before its thirty seconds were over", calls)
		}
		r.now = started.Add(31 * time.Second)
		r.sweep()
		if told := r.told()[slackDest]; strings.Join(told, " ") != "open open" {
			t.Errorf("told %v", told)
		}
		if a := r.attempts(slackDest); len(a) != 2 || a[0].Class != delivery.RateLimited || a[0].Status != 429 {
			t.Errorf("the ledger has the attempts %+v", a)
		}
	})
}

func (r *rig) callsTo(target string) int {
	n := 0
	for _, c := range r.inbox.Calls() {
		if c.Target == target {
			n++
		}
	}
	return n
}

// attempts returns the attempts at a destination to tell of play's key.
func (r *rig) attempts(destination string) []delivery.Attempt {
	r.t.Helper()
	var out []delivery.Attempt
	key := observed(noon, observation.Failing).IncidentKey
	err := r.tap.Deliveries(r.t.Context(), func(d delivery.Delivery) error {
		if d.IncidentKey == key && d.Destination == destination {
			out = append(out, d.Attempts...)
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

func TestCaseC2MailAcceptedAndSlackFailing(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.inbox.Script(slackDest, inbox.ServerError())
		v.set("vendor", whole(item("card", observation.Failing)))
		r.tick(0)
		r.now = r.now.Add(time.Minute)
		r.sweep()
		if s, m := r.callsTo(slackDest), r.callsTo(mailTo); s != 2 || m != 1 {
			t.Errorf("Slack was called %d times and mail %d times", s, m)
		}
		if got := r.toldEqually(); got != "open" {
			t.Errorf("told %s", got)
		}
	})
}

func TestCaseC4AWorkerKilledBetweenClaimAndSend(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		for _, due := range r.decideOnly(observed(noon, observation.Failing)) {
			if _, err := s.Claim(t.Context(), due.Ref, "killed", r.now, r.now.Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		r.now = r.now.Add(59 * time.Second)
		r.sweep()
		if got := r.toldEqually(); got != "-" {
			t.Fatalf("told %s inside the lease", got)
		}
		r.now = r.now.Add(2 * time.Second)
		r.sweep()
		if got := r.toldEqually(); got != "open" {
			t.Errorf("told %s after the lease", got)
		}
		for _, u := range r.usage() {
			if u.Delivered != 1 || u.Attempted != 2 || u.Repeated != 1 {
				t.Errorf("counted %+v", u)
			}
		}
	})
}

func TestCaseC4AReminderOfALostWorkerIsHeld(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	p := incident.DefaultPolicy()
	p.Cooldown = time.Minute
	r.setPolicy(p)
	v.set("vendor", whole(item("card", observation.Failing)))
	r.tick(0)
	r.told()
	for _, due := range r.decideOnly(observed(noon.Add(time.Minute), observation.Failing)) {
		if _, err := r.tap.Claim(t.Context(), due.Ref, "killed", noon.Add(time.Hour), noon.Add(2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	r.now = noon.Add(3 * time.Hour)
	r.sweep()
	if got := r.toldEqually(); got != "-" {
		t.Errorf("told %s: a reminder that may have arrived is not repeated", got)
	}
	held := 0
	for _, u := range r.usage() {
		held += int(u.Held)
	}
	if held != 2 {
		t.Errorf("%d deliveries are counted as held, want 2", held)
	}
}

func (r *rig) usage() []delivery.Usage {
	r.t.Helper()
	all, err := r.tap.Usage(r.t.Context(), noon.Add(-24*time.Hour), noon.Add(24*time.Hour))
	if err != nil || len(all) == 0 {
		r.t.Fatalf("usage: %v, %v", all, err)
	}
	return all
}

func TestCaseD4AcceptedAndThenTheSocketCloses(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	p := incident.DefaultPolicy()
	p.Cooldown = time.Minute
	r.setPolicy(p)
	r.inbox.Script(slackDest, inbox.AcceptAndClose())
	v.set("vendor", whole(item("card", observation.Failing)))
	r.tick(0)
	r.now = r.now.Add(40 * time.Second)
	r.sweep()
	posts := r.messagesTo(slackDest)
	if len(posts) != 2 || posts[0].DeliveryID != posts[1].DeliveryID {
		t.Fatalf("an open that may have arrived was sent %d times in all", len(posts))
	}
	if strings.Contains(string(posts[0].Body), "repeat") || !strings.Contains(string(posts[1].Body), "repeat") {
		t.Errorf("only the second one says that it may be a repeat:\n%s\n%s", posts[0].Body, posts[1].Body)
	}
	r.told()
	// A reminder is held instead.
	r.inbox.Script(slackDest, inbox.AcceptAndClose())
	r.tick(1)
	r.now = r.now.Add(10 * time.Minute)
	r.sweep()
	if told := r.told()[slackDest]; strings.Join(told, " ") != "remind" {
		t.Errorf("the reminder arrived as %v", told)
	}
	if a := r.attempts(slackDest); a[len(a)-1].Class != delivery.Ambiguous {
		t.Errorf("the ledger has %+v", a)
	}
}

func (r *rig) messagesTo(target string) []inbox.Message {
	var to []inbox.Message
	for _, m := range r.inbox.Messages() {
		if m.Target == target {
			to = append(to, m)
		}
	}
	return to
}

func TestCaseR5TheResolvesRecordComesFirst(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		due := r.decideOnly(
			observed(noon, observation.Failing),
			observed(noon.Add(time.Minute), observation.Healthy),
			observed(noon.Add(2*time.Minute), observation.Healthy))
		for i := len(due) - 1; i >= 0; i-- {
			if failed := r.deliverer().Deliver(t.Context(), due[i:i+1]); len(failed) > 0 {
				t.Fatal(failed)
			}
		}
		r.now = r.now.Add(time.Minute)
		r.sweep()
		var order []string
		for _, m := range r.messagesTo(slackDest) {
			order = append(order, m.DeliveryID)
		}
		key := due[0].IncidentKey
		want := []string{delivery.ID("test", key, 1, 1, slackDest), delivery.ID("test", key, 1, 2, slackDest)}
		if strings.Join(order, " ") != strings.Join(want, " ") {
			t.Errorf("arrived as %v, want open then resolve %v", order, want)
		}
	})
}

func TestCaseR6ResolvedBeforeTheOpensRetry(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.inbox.Script(slackDest, inbox.RateLimited(300))
	for n, l := range []byte("FHH") {
		v.set("vendor", listingFor(t, l))
		r.tick(n)
	}
	if told := r.told(); len(told[slackDest]) != 0 || strings.Join(told[mailDest], " ") != "open resolve" {
		t.Fatalf("inside the pause, told %v", told)
	}
	for n := 3; n < 9; n++ {
		r.tick(n)
	}
	if told := r.told(); strings.Join(told[slackDest], " ") != "open resolve" || len(told[mailDest]) != 0 {
		t.Errorf("after the pause, told %v", told)
	}
}

func TestCaseD9ADeliverBatchReplayedThreeTimes(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		due := r.decideOnly(observed(noon, observation.Failing))
		for range 4 {
			if failed := r.deliverer().Deliver(t.Context(), due); len(failed) > 0 {
				t.Fatal(failed)
			}
		}
		if got := r.toldEqually(); got != "open" {
			t.Errorf("told %s", got)
		}
		for _, u := range r.usage() {
			if u.Attempted != 1 || u.Delivered != 1 {
				t.Errorf("counted %+v", u)
			}
		}
	})
}

func TestCaseC3APermanentRefusalIsNeverRetried(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.inbox.Script(slackDest, inbox.Gone())
	v.set("vendor", whole(item("card", observation.Failing)))
	for n := range 10 {
		r.tick(n)
	}
	if s := r.callsTo(slackDest); s != 1 {
		t.Errorf("the webhook that is gone was called %d times", s)
	}
	if told := r.told(); strings.Join(told[mailDest], " ") != "open" {
		t.Errorf("mail was told %v", told)
	}
}

func TestWhoWasToldOpenIsToldResolvedAfterAChangeOfOwner(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	v.set("vendor", whole(item("card", observation.Failing)))
	r.tick(0)
	r.told()
	owner := r.cfg.Owners["payments"]
	owner.Destinations = []string{mailDest}
	r.cfg.Owners["payments"] = owner
	v.set("vendor", whole())
	r.tick(1)
	r.tick(2)
	if got := r.toldEqually(); got != "resolve" {
		t.Errorf("told %s", got)
	}
}

func TestCaseR1ARenamedDestinationIsToldTheEnd(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	v.set("vendor", whole(item("card", observation.Failing)))
	r.tick(0)
	r.told()
	renamed := r.cfg.Destinations[slackDest]
	renamed.ID = "slack-renamed"
	delete(r.cfg.Destinations, slackDest)
	r.cfg.Destinations[renamed.ID] = renamed
	owner := r.cfg.Owners["payments"]
	owner.Destinations = []string{renamed.ID, mailDest}
	r.cfg.Owners["payments"] = owner
	v.set("vendor", whole())
	r.tick(1)
	r.tick(2)
	told := r.told()
	if strings.Join(told[renamed.ID], " ") != "resolve" || strings.Join(told[mailDest], " ") != "resolve" {
		t.Errorf("told %v", told)
	}
}
