package scenario_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/observation"
)

// explained explains what was asked for, through JSON, as a program would read it.
func (r *rig) explained(asked string, q explain.Query) explain.Report {
	r.t.Helper()
	s := r.tap.store.(explain.Store)
	found, err := explain.Find(r.t.Context(), s, asked)
	if err != nil || len(found) != 1 {
		r.t.Fatalf("find %q: %+v, %v", asked, found, err)
	}
	x := explain.Explainer{Store: s, Config: r.cfg}
	rep, err := x.Explain(r.t.Context(), found[0], q)
	if err != nil {
		r.t.Fatal(err)
	}
	data, err := json.Marshal(rep)
	if err != nil {
		r.t.Fatal(err)
	}
	var read explain.Report
	if err := json.Unmarshal(data, &read); err != nil {
		r.t.Fatal(err)
	}
	return read
}

// line returns a time line in short: verdict, count, action and reason code.
func line(rep explain.Report) string {
	var all []string
	for _, e := range rep.Timeline {
		all = append(all, fmt.Sprintf("%s×%d %s %s", e.Verdict, e.Count, e.Action, e.Code))
	}
	return strings.Join(all, "; ")
}

// TestCaseO1ExplainListsEveryDecisionAndAttempt: decisions with and without an action,
// each with its reason; attempts with status and time.
func TestCaseO1ExplainListsEveryDecisionAndAttempt(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		p := incident.DefaultPolicy()
		p.FailingRequired, p.Cooldown = 2, 3*time.Minute
		r.setPolicy(p)
		r.inbox.Script(slackDest, inbox.ServerError(), inbox.AcceptAndClose())
		r.play(v, "FFFUHFFHHHF")
		key := r.state().Key
		rep := r.explained(key, explain.Query{})
		want := "failing×1 none below_threshold; failing×1 open failing_streak; failing×1 none cooldown_active; " +
			"unknown×1 none unknown_observation; healthy×1 none healthy_streak; failing×1 remind cooldown_elapsed; " +
			"failing×1 none cooldown_active; healthy×1 none healthy_streak; healthy×1 resolve recovered; " +
			"failing×1 none below_threshold"
		if got := line(rep); got != want {
			t.Errorf("time line\n%s, want\n%s", got, want)
		}
		if len(rep.Differences) > 0 || len(rep.Notes) > 0 {
			t.Errorf("differences %+v, notes %v", rep.Differences, rep.Notes)
		}
		for _, e := range rep.Timeline {
			if e.Words == "" || e.Reason == "" || (e.What == explain.Decision) != e.Logged || e.Logged == e.DecidedAt.IsZero() {
				t.Errorf("an entry that explains nothing: %+v", e)
			}
		}
		r.checkAttempts(rep)
		log, err := s.Decisions(t.Context(), key)
		if err != nil || len(log) != 3 || len(rep.Deliveries) != 6 {
			t.Errorf("%d decisions (%v), %d deliveries", len(log), err, len(rep.Deliveries))
		}
		if ep := r.explained(key, explain.Query{Episode: 1}); ep.Window.Shown != 9 || strings.HasSuffix(line(ep), "below_threshold") {
			t.Errorf("episode 1: %d observations, %s", ep.Window.Shown, line(ep))
		}
		part := explain.Query{From: noon.Add(2 * time.Minute), To: noon.Add(4 * time.Minute)}
		if got := line(r.explained(key, part)); got != "failing×1 none cooldown_active; unknown×1 none unknown_observation; healthy×1 none healthy_streak" {
			t.Errorf("three minutes of it: %s", got)
		}
	})
}

// checkAttempts checks the open to Slack: it is refused, then its answer is lost, then
// it is repeated.
func (r *rig) checkAttempts(rep explain.Report) {
	r.t.Helper()
	open := rep.Deliveries[1]
	if open.Destination != slackDest || open.Action != incident.Open || !open.Ambiguous || open.State != "delivered" || open.Took <= 0 {
		r.t.Errorf("the open to Slack: %+v", open)
	}
	var got []string
	for _, a := range open.Attempts {
		got = append(got, fmt.Sprintf("%d retry %v %s %d repeat %v", a.Number, a.Retry, a.Class, a.Status, a.Repeat))
		if a.Started.IsZero() || a.Ended.IsZero() || a.Retry == (a.Waited == 0) {
			r.t.Errorf("an attempt without its times: %+v", a)
		}
	}
	want := "1 retry false temporary 500 repeat false; 2 retry true ambiguous 0 repeat false; 3 retry true accepted 200 repeat true"
	if strings.Join(got, "; ") != want {
		r.t.Errorf("attempts\n%s, want\n%s", strings.Join(got, "; "), want)
	}
	if !strings.Contains(rep.Why, "may have arrived more than once") || !strings.Contains(rep.Why, "There was no second open") {
		r.t.Errorf("why: %s", rep.Why)
	}
}

func TestExplainFindsWhatAPersonHas(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.play(v, "FHHF")
		key := r.state().Key
		message := r.inbox.Messages()[len(r.inbox.Messages())-1]
		for asked, want := range map[string]explain.Found{
			key:                {Key: key, By: explain.ByKey},
			key[:len(key)-3]:   {Key: key, By: explain.ByPrefix},
			"card":             {Key: key, By: explain.ByVendorID},
			message.DeliveryID: {Key: key, By: explain.ByDelivery, DeliveryID: message.DeliveryID, Episode: 2},
			" d1-0 " + message.DeliveryID + " · " + key: {Key: key, By: explain.ByDelivery, DeliveryID: message.DeliveryID, Episode: 2},
		} {
			found, err := explain.Find(t.Context(), s.(explain.Store), asked)
			if err != nil || len(found) != 1 || found[0] != want {
				t.Errorf("%q finds %+v (%v), want %+v", asked, found, err, want)
			}
		}
		for _, asked := range []string{"", "d1-00000000000000000000", "k1/other"} {
			if found, err := explain.Find(t.Context(), s.(explain.Store), asked); asked != "" && (err == nil || len(found) > 0) {
				t.Errorf("%q finds %+v", asked, found)
			}
		}
	})
}

// TestCaseO4UsageAddsUpToTheLedger: after refusals, repeats, held and dead messages,
// the counters are those that the deliveries give, by any dimensions; no line is about
// a single incident.
func TestCaseO4UsageAddsUpToTheLedger(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		p := incident.DefaultPolicy()
		p.Cooldown = time.Minute
		r.setPolicy(p)
		// An open is repeated, a reminder is held, another is dead.
		r.inbox.Script(slackDest, inbox.AcceptAndClose())
		r.inbox.Script(mailTo, inbox.ServerError(), inbox.RateLimited(5))
		r.play(v, "FF")
		r.inbox.Script(slackDest, inbox.AcceptAndClose(), inbox.Gone())
		r.play(v, "FFFFHHFHH")
		for range 5 {
			r.now = r.now.Add(2 * time.Minute)
			r.sweep()
		}
		from, to := noon.AddDate(0, 0, -1), noon.AddDate(0, 0, 1)
		counters, err := s.Usage(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		ledger, err := explain.Ledger(t.Context(), s.(explain.Store), from, to)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := explain.Audit(counters, ledger); len(wrong) > 0 {
			t.Errorf("the counters are off: %s", strings.Join(wrong, "\n"))
		}
		prices := config.Prices{Currency: "EUR", Channels: map[string]config.Price{config.ChannelSES: {Attempted: 100_000}}}
		bill, err := explain.NewBill(counters, []string{"owner", "channel"}, prices)
		if err != nil || len(bill.Lines) != 2 {
			t.Fatalf("the bill is %+v, %v", bill, err)
		}
		sum := bill.Sum
		if sum.Repeated == 0 || sum.Held == 0 || sum.Dead == 0 || sum.Attempted <= sum.Delivered {
			t.Errorf("the story has too little in it: %+v", sum)
		}
		if delivered := accepted(ledger); sum.Delivered != delivered || bill.Lines[0].Cost != config.Amount(bill.Lines[0].Attempted)*100_000 || sum.Cost != bill.Lines[0].Cost {
			t.Errorf("%+v, the ledger has %d delivered", bill, delivered)
		}
		// A counter that is off by one is found.
		counters[0].Attempted++
		if wrong := explain.Audit(counters, ledger); len(wrong) != 1 {
			t.Errorf("a wrong counter gives %v", wrong)
		}
	})
}

// TestCaseO4DigestedItemsAddUpToTheLedger: the digest of a storm is refused and goes
// to the fallback, which is told the resolves in a digest, too.
func TestCaseO4DigestedItemsAddUpToTheLedger(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.Fallback, d.DigestOver = mailDest, 3 })
		r.configure(mailDest, func(d *config.Destination) { d.DigestOver = 3 })
		r.inbox.Script(slackDest, inbox.Gone())
		var fail, heal []observation.Observation
		for n := range 8 {
			fail = append(fail, observedKey(n, noon, observation.Failing))
			heal = append(heal, observedKey(n, noon.Add(time.Minute), observation.Healthy), observedKey(n, noon.Add(2*time.Minute), observation.Healthy))
		}
		for _, batch := range [][]observation.Observation{fail, heal} {
			r.decideOnly(batch...)
			for range 3 {
				r.sweep()
				r.now = r.now.Add(time.Minute)
			}
		}
		from, to := noon.AddDate(0, 0, -1), noon.AddDate(0, 0, 1)
		counters, err := s.Usage(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		ledger, err := explain.Ledger(t.Context(), s.(explain.Store), from, to)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := explain.Audit(counters, ledger); len(wrong) > 0 {
			t.Errorf("the counters are off: %s", strings.Join(wrong, "\n"))
		}
		bill, err := explain.NewBill(counters, nil, config.Prices{})
		if err != nil || bill.Sum.Digested != 16 || bill.Sum.Delivered != 3 {
			t.Errorf("%+v, %v", bill.Sum, err)
		}
		counters[0].Digested++
		if wrong := explain.Audit(counters, ledger); len(wrong) != 1 {
			t.Errorf("a wrong counter gives %v", wrong)
		}
	})
}

func accepted(ledger []delivery.Usage) int64 {
	var n int64
	for _, u := range ledger {
		n += u.Delivered
	}
	return n
}

// TestVerdictsAreTheObservationsInShort: both stores yield the same fields.
func TestVerdictsAreTheObservationsInShort(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.cfg.Sources[0].Absent = config.AbsentMissing
		r.play(v, "FUHFAA")
		r.cfg.Sources[0].FailingWithin = time.Minute
		for n, last := range []time.Time{noon.Add(6 * time.Minute), noon} {
			it := item("card", observation.Failing)
			it.Evidence.LastSeen = last
			v.set(r.cfg.Sources[0].ID, whole(it))
			r.tick(6 + n)
		}
		both := s.(explain.Store)
		var short, full []observation.Observation
		key := r.state().Key
		err := both.Verdicts(t.Context(), key, func(o observation.Observation) error {
			short = append(short, o)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = both.Observations(t.Context(), key, time.Time{}, time.Time{}, func(o observation.Observation) error {
			full = append(full, observation.Observation{
				IncidentKey: o.IncidentKey, Tick: o.Tick, Source: o.Source, Verdict: o.Verdict, Missing: o.Missing, Unseen: o.Unseen, Status: o.Status, ObservedAt: o.ObservedAt,
			})
			return nil
		})
		if diff := cmp.Diff(full, short); err != nil || diff != "" || len(short) != 8 || !short[5].Missing || !short[7].Unseen {
			t.Errorf("%v, %d verdicts (-full +short):\n%s", err, len(short), diff)
		}
	})
}
