package scenario_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestADivertedEndWaitsForTheDigestThatToldItsBeginning: Slack permanently refuses a
// digest of opens. Mail, its fallback, is out while the incidents recover, and the
// digest's next attempt is due after their resolves.
func TestADivertedEndWaitsForTheDigestThatToldItsBeginning(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.Fallback, d.DigestOver = mailDest, 2 })
		r.configure(mailDest, func(d *config.Destination) { d.DigestOver = 5 })
		p := incident.DefaultPolicy()
		p.HealthyRequired = 1
		r.setPolicy(p)
		r.inbox.Script(slackDest, inbox.Gone())
		r.inbox.Script(mailTo, slices.Repeat([]inbox.Fault{inbox.ServerError()}, 8)...)
		v.set("vendor", whole(item("card", observation.Failing), item("bank", observation.Failing), item("cash", observation.Failing)))
		for n := range 4 {
			r.tick(n)
		}
		v.set("vendor", whole())
		for n := 4; n < 9; n++ {
			r.tick(n)
		}
		got := slices.DeleteFunc(r.actionsAt(mailDest), func(a string) bool { return a == "refused" })
		if strings.Join(got, " ") != "digest resolve resolve resolve" {
			t.Errorf("mail was told %v", got)
		}
	})
}

// TestAResendByHandLiftsTheQuarantine: the webhook is gone and is repaired within the
// hour. What a person resends is tried at once, and the waiting messages follow.
func TestAResendByHandLiftsTheQuarantine(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.audience(slackDest)
		r.inbox.Script(slackDest, inbox.Gone(), inbox.Gone())
		v.set("vendor", whole(item("card", observation.Failing)))
		r.tick(0)
		v.set("vendor", whole(item("card", observation.Failing), item("bank", observation.Failing)))
		r.tick(1)
		dead := slices.DeleteFunc(r.ledger(), func(d delivery.Delivery) bool { return d.State != delivery.Dead })
		if len(dead) != 1 || r.callsTo(slackDest) != 1 {
			t.Fatalf("dead are %+v after %d calls", dead, r.callsTo(slackDest))
		}
		resend := func() {
			t.Helper()
			if err := s.Resend(t.Context(), dead[0].Ref(), r.now); err != nil {
				t.Fatal(err)
			}
			r.sweep()
		}
		// It is not repaired yet: one attempt shows it, and there is no other.
		resend()
		r.tick(2)
		if calls, posts := r.callsTo(slackDest), r.posts(); calls != 2 || len(posts) != 0 {
			t.Fatalf("before the repair %d calls, %d posts", calls, len(posts))
		}
		resend()
		if posts := r.posts(); len(posts) != 1 || !strings.Contains(posts[0], dead[0].ID) {
			t.Fatalf("resent, told %q", posts)
		}
		for n := 3; n < 9; n++ {
			r.tick(n)
		}
		if posts := r.posts(); len(posts) != 2 || !strings.Contains(posts[1], "bank") {
			t.Errorf("afterwards told %q", posts)
		}
	})
}

const pager = "pager"

// pagerFor makes Slack the only destination and PagerDuty its fallback.
func (r *rig) pagerFor(t *testing.T) {
	t.Helper()
	t.Setenv("SCENARIO_ROUTING_KEY", r.inbox.RoutingKey(pager))
	r.audience(slackDest)
	r.cfg.Destinations[pager] = config.Destination{
		ID: pager, Channel: config.ChannelPagerDuty, APIURL: r.inbox.PagerDutyURL(), RoutingKey: "env:SCENARIO_ROUTING_KEY", Severity: "error",
	}
	r.configure(slackDest, func(d *config.Destination) { d.Fallback, d.DigestOver = pager, 2 })
}

// alerts counts PagerDuty's alerts, and those that are open.
func (r *rig) alerts() (all, open int) {
	for _, a := range r.inbox.Alerts() {
		all++
		if !a.Resolved {
			open++
		}
	}
	return all, open
}

// TestNoAlertOfAFallbackStaysOpen: Slack refuses a digest of opens and PagerDuty is
// told instead, of the refusal and of each incident. Each alert is resolved with its
// incident, and the refusal's once Slack accepts messages again.
func TestNoAlertOfAFallbackStaysOpen(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.pagerFor(t)
		r.inbox.Script(slackDest, inbox.Gone())
		v.set("vendor", whole(item("card", observation.Failing), item("bank", observation.Failing), item("cash", observation.Failing)))
		r.tick(0)
		r.tick(1)
		if all, open := r.alerts(); all != 4 || open != 4 {
			t.Fatalf("PagerDuty has %d alerts, %d open: %+v", all, open, r.inbox.Alerts())
		}
		v.set("vendor", whole())
		for n := 2; n < 6; n++ {
			r.tick(n)
		}
		if all, open := r.alerts(); all != 4 || open != 1 {
			t.Fatalf("after the ends PagerDuty has %d alerts, %d open: %+v", all, open, r.inbox.Alerts())
		}
		v.set("vendor", whole(item("card", observation.Failing)))
		r.tick(65)
		r.tick(66)
		if all, open := r.alerts(); all != 4 || open != 0 || len(r.posts()) != 1 {
			t.Errorf("after the repair PagerDuty has %d alerts, %d open, Slack %d posts", all, open, len(r.posts()))
		}
	})
}

// TestAnEndGoesWhereAReminderWent: a reminder is given up and PagerDuty told instead;
// Slack works again when the incident resolves.
func TestAnEndGoesWhereAReminderWent(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.pagerFor(t)
		p := incident.DefaultPolicy()
		p.Cooldown, p.MaxReminders = 5*time.Minute, 1
		r.setPolicy(p)
		for n, l := range []byte("FFFFFFFFHHHH") {
			if n == 5 {
				r.inbox.Script(slackDest, inbox.Fault{Status: 400, Word: "invalid_payload"})
			}
			v.set("vendor", listingFor(t, l))
			r.tick(n)
		}
		if all, open := r.alerts(); all != 1 || open != 0 {
			t.Errorf("PagerDuty has %d alerts, %d open", all, open)
		}
		if got := strings.Join(r.actionsAt(slackDest), " "); got != "open resolve" {
			t.Errorf("Slack was told %s", got)
		}
	})
}

// TestAResendAfterTheEndOpensNothing: PagerDuty refuses an open, and its resolve is
// closed with it. A person resends the open after the incident has resolved: it opens
// no alert. A mail that may have arrived is resolved, too.
func TestAResendAfterTheEndOpensNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.pagerFor(t)
		r.audience(pager, mailDest)
		r.configure(mailDest, func(d *config.Destination) {
			d.OnAmbiguous = map[incident.Action]delivery.Ambiguity{incident.Open: delivery.Hold}
		})
		p := incident.DefaultPolicy()
		p.HealthyRequired = 1
		r.setPolicy(p)
		r.inbox.Script(pager, inbox.Fault{Status: 400, Word: "invalid event"})
		r.inbox.Script(mailTo, inbox.AcceptAndClose())
		v.set("vendor", whole(item("card", observation.Failing)))
		r.tick(0)
		v.set("vendor", whole())
		r.tick(1)
		for _, d := range r.ledger() {
			if d.Stopped() {
				if err := s.Resend(t.Context(), d.Ref(), r.now); err != nil {
					t.Fatal(err)
				}
			}
		}
		r.inbox.Script(mailTo, inbox.ServerError())
		for n := 2; n < 6; n++ {
			r.tick(n)
		}
		if all, open := r.alerts(); open != 0 {
			t.Errorf("PagerDuty has %d alerts, %d open", all, open)
		}
		again := 0
		for _, d := range r.ledger() {
			if !d.Insisted {
				continue
			}
			again++
			if d.State != delivery.Delivered || d.Notice.Action != incident.Resolve {
				t.Errorf("%s of what is %s to %s is %s", d.Action, d.Notice.Action, d.Destination, d.State)
			}
		}
		if again != 2 {
			t.Errorf("%d were sent again", again)
		}
	})
}

// TestAResentDigestTellsWhatIsOver: of a digest's three incidents, two are resolved
// when a person resends it, after it was refused or may have arrived. The digest says
// so; the resolve of the third, which waited for it, follows.
func TestAResentDigestTellsWhatIsOver(t *testing.T) {
	for name, faults := range map[string][]inbox.Fault{
		"refused": {{Status: 400, Word: "invalid_blocks"}}, "in doubt": {inbox.AcceptAndClose(), inbox.AcceptAndClose()},
	} {
		eachStore(t, func(t *testing.T, s store) {
			r := newRig(t, s, newVendor())
			r.audience(slackDest)
			r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 2 })
			r.inbox.Script(slackDest, faults...)
			var obs []observation.Observation
			for n := range 3 {
				obs = append(obs, observedKey(n, noon, observation.Failing))
			}
			r.decideOnly(obs...)
			r.sweeps(3, time.Minute)
			digest := slices.DeleteFunc(r.ledger(), func(d delivery.Delivery) bool { return !d.Stopped() })
			if len(digest) != 1 || digest[0].Action != delivery.Digest {
				t.Fatalf("%s: stopped are %+v", name, digest)
			}
			end := func(from, to int) {
				for n := from; n < to; n++ {
					for minute := 1; minute < 4; minute++ {
						r.decideOnly(observedKey(n, noon.Add(time.Duration(minute)*time.Minute), observation.Healthy))
					}
				}
			}
			end(0, 2)
			r.sweep()
			if err := s.Resend(t.Context(), digest[0].Ref(), r.now); err != nil {
				t.Fatal(err)
			}
			end(2, 3)
			r.inbox.Script(slackDest, inbox.ServerError())
			before := len(r.posts())
			r.sweeps(4, time.Minute)
			told := r.posts()[before:]
			if len(told) != 2 || !strings.Contains(told[0], "1 OPENED, 2 RESOLVED in test") || !strings.Contains(told[1], "RESOLVED in test") {
				t.Errorf("%s: told %q", name, told)
			}
			r.audit(noon.Truncate(24*time.Hour), r.now)
		})
	}
}

// TestAClosedDigestThatNobodyGotHasNoEnds: a person closes a digest that was refused,
// and one that may have arrived. Only the latter's resolves are told.
func TestAClosedDigestThatNobodyGotHasNoEnds(t *testing.T) {
	for name, tc := range map[string]struct {
		faults []inbox.Fault
		ends   int
	}{
		"refused":  {[]inbox.Fault{{Status: 400, Word: "invalid_blocks"}}, 0},
		"in doubt": {[]inbox.Fault{inbox.AcceptAndClose(), inbox.AcceptAndClose()}, 1},
	} {
		eachStore(t, func(t *testing.T, s store) {
			r := newRig(t, s, newVendor())
			r.audience(slackDest)
			r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 2 })
			r.inbox.Script(slackDest, tc.faults...)
			r.decideOnly(observedKey(0, noon, observation.Failing), observedKey(1, noon, observation.Failing), observedKey(2, noon, observation.Failing))
			r.sweeps(3, time.Minute)
			for _, d := range r.ledger() {
				if d.Stopped() {
					if err := s.CloseStopped(t.Context(), d.Ref(), "closed"); err != nil {
						t.Fatal(err)
					}
				}
			}
			for minute := 1; minute < 4; minute++ {
				at := noon.Add(time.Duration(minute) * time.Minute)
				r.decideOnly(observedKey(0, at, observation.Healthy), observedKey(1, at, observation.Healthy), observedKey(2, at, observation.Healthy))
			}
			before := len(r.posts())
			r.sweeps(2, time.Minute)
			if told := r.posts()[before:]; len(told) != tc.ends {
				t.Errorf("%s: told %q", name, told)
			}
		})
	}
}

// TestWhatIsGivenUpAfterTheEndCallsNobody: Slack is out for a day, and the incident
// resolves within a minute. PagerDuty is told of it as resolved and opens no alert;
// mail gets one message that says both.
func TestWhatIsGivenUpAfterTheEndCallsNobody(t *testing.T) {
	for _, fallback := range []string{pager, mailDest} {
		t.Run(fallback, func(t *testing.T) {
			v := newVendor()
			r := newRig(t, memory.New(), v)
			r.pagerFor(t)
			r.audience(slackDest, pager)
			r.configure(slackDest, func(d *config.Destination) { d.Fallback, d.DigestOver = fallback, 0 })
			p := incident.DefaultPolicy()
			p.HealthyRequired = 1
			r.setPolicy(p)
			r.inbox.Script(slackDest, slices.Repeat([]inbox.Fault{inbox.ServerError()}, 2000)...)
			v.set("vendor", whole(item("card", observation.Failing)))
			r.tick(0)
			v.set("vendor", whole())
			for n := 1; n < 24*60+10; n += 4 {
				r.tick(n)
			}
			if all, open := r.alerts(); all != 1 || open != 0 {
				t.Errorf("PagerDuty has %d alerts, %d open", all, open)
			}
			var told []string
			for _, d := range r.ledger() {
				if d.For == slackDest {
					told = append(told, string(d.Action)+" of what is "+string(d.Notice.Action)+" "+string(d.State))
				}
			}
			if strings.Join(told, ", ") != "open of what is resolve delivered" {
				t.Errorf("the fallback was told %q", told)
			}
		})
	}
}
