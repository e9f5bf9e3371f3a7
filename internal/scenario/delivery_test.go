package scenario_test

import (
	"fmt"
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

// configure changes the configuration of a destination.
func (r *rig) configure(id string, change func(*config.Destination)) {
	d := r.cfg.Destinations[id]
	change(&d)
	r.cfg.Destinations[id] = d
}

// audience sets who is told of the source's incidents.
func (r *rig) audience(ids ...string) {
	o := r.cfg.Owners["payments"]
	o.Destinations = ids
	r.cfg.Owners["payments"] = o
}

// posts returns the messages that readers of the Slack channel saw, one line each.
func (r *rig) posts() []string {
	var out []string
	for _, m := range r.messagesTo(slackDest) {
		var lines []string
		for _, l := range m.Post.Shown {
			lines = append(lines, l.Text)
		}
		out = append(out, strings.Join(lines, "\n"))
	}
	return out
}

// mails returns the subjects and texts of the mails that were sent.
func (r *rig) mails() []string {
	var out []string
	for _, m := range r.messagesTo(mailTo) {
		out = append(out, m.Letter.Subject+"\n"+m.Letter.Text)
	}
	return out
}

func observedKey(n int, tick time.Time, v observation.Verdict) observation.Observation {
	o := observed(tick, v)
	o.Parts = []observation.Part{{Name: "payment", Value: fmt.Sprintf("card-%04d", n)}}
	o.Summary = fmt.Sprintf("Payment card-%04d fails", n)
	var err error
	if o.IncidentKey, err = incident.Key(o.Kind, o.Parts); err != nil {
		panic(err)
	}
	return o
}

func (r *rig) ledger() []delivery.Delivery {
	r.t.Helper()
	var all []delivery.Delivery
	err := r.tap.Deliveries(r.t.Context(), func(d delivery.Delivery) error {
		all = append(all, d)
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return all
}

func TestCaseC3TheFallbackIsToldOnceThatADestinationRefuses(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
		r.inbox.Script(slackDest, inbox.Gone(), inbox.Gone(), inbox.Gone())
		v.set("vendor", whole(item("card", observation.Failing), item("bank", observation.Failing), item("cash", observation.Failing)))
		for n := range 50 {
			r.tick(n)
		}
		if calls := r.callsTo(slackDest); calls != 1 {
			t.Errorf("the webhook that is gone was called %d times within the hour", calls)
		}
		var refusals, own int
		for _, m := range r.mails() {
			if strings.Contains(m, "A DESTINATION REFUSES MESSAGES") {
				refusals++
				if !strings.Contains(m, "no_service") || !strings.Contains(m, slackDest) || !strings.Contains(m, "payments") {
					t.Errorf("the mail names neither word, destination nor owner:\n%s", m)
				}
			} else {
				own++
			}
		}
		// Mail is told of each incident itself; it needs no second copy.
		if refusals != 1 || own < 3 {
			t.Errorf("mail was told %d times of the refusal and %d times of incidents", refusals, own)
		}
	})
}

func TestWhatADestinationRefusesGoesToItsFallback(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
		r.inbox.Script(slackDest, inbox.Gone())
		v.set("vendor", whole(item("card", observation.Failing)))
		r.tick(0)
		r.tick(1)
		v.set("vendor", whole())
		r.tick(2)
		r.tick(3)
		var heads []string
		for _, m := range r.mails() {
			heads = append(heads, strings.Split(m, "\n")[1])
		}
		want := []string{"A DESTINATION REFUSES MESSAGES in test", "FAILING in test", "RESOLVED in test"}
		if got := strings.Join(heads, "; "); len(heads) != 3 || !strings.Contains(got, want[0]) || strings.Index(got, want[1]) > strings.Index(got, want[2]) {
			t.Fatalf("mail was told %s", got)
		}
		for _, m := range r.mails()[1:] {
			if !strings.Contains(m, slackDest) {
				t.Errorf("a mail does not say whom it was for:\n%s", m)
			}
		}
		// An hour later one message is tried and accepted: the destination works again.
		v.set("vendor", whole(item("card", observation.Failing)))
		r.tick(65)
		if calls := r.callsTo(slackDest); calls != 2 || len(r.posts()) != 1 {
			t.Errorf("%d calls, %d posts after the hour", calls, len(r.posts()))
		}
		v.set("vendor", whole())
		r.tick(66)
		r.tick(67)
		mails := r.mails()
		if posts := r.posts(); len(posts) != 2 || len(mails) != 4 || !strings.Contains(mails[3], "A DESTINATION TAKES MESSAGES AGAIN in test") {
			t.Errorf("afterwards %d posts and mails %q", len(posts), mails)
		}
	})
}

func TestWhatIsGivenUpGoesToTheFallbackOnce(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.audience(slackDest)
	r.cfg.Delivery.GiveUpAfter = 2 * time.Hour
	r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
	for range 1000 {
		r.inbox.Script(slackDest, inbox.ServerError())
	}
	p := incident.DefaultPolicy()
	p.Cooldown = 0
	r.setPolicy(p)
	v.set("vendor", whole(item("card", observation.Failing)))
	for n := range 180 {
		r.tick(n)
	}
	mails := r.mails()
	if len(mails) != 1 || !strings.Contains(mails[0], "FAILING in test") || !strings.Contains(mails[0], "given up after 2h") {
		t.Fatalf("mail was told %d times: %v", len(mails), mails)
	}
	last := r.inbox.Calls()[len(r.inbox.Calls())-1]
	if last.Target != mailTo {
		t.Errorf("the last call went to %s", last.Target)
	}
	for _, u := range r.usage() {
		if u.Channel == config.ChannelSlackWebhook && (u.Dead != 1 || u.Delivered != 0) {
			t.Errorf("counted %+v", u)
		}
	}
}

func TestCaseR5OneMessageSaysBoth(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 5 })
		due := r.decideOnly(
			observed(noon, observation.Failing),
			observed(noon.Add(time.Minute), observation.Healthy),
			observed(noon.Add(2*time.Minute), observation.Healthy))
		for i := len(due) - 1; i >= 0; i-- {
			if failed := r.deliverer().Deliver(t.Context(), due[i:i+1]); len(failed) > 0 {
				t.Fatal(failed)
			}
		}
		posts := r.posts()
		if len(posts) != 1 || !strings.Contains(posts[0], "FAILED AND RESOLVED in test") || !strings.Contains(posts[0], "Lasted") {
			t.Errorf("told %q", posts)
		}
		for _, d := range r.ledger() {
			if d.Destination == slackDest && d.Action == incident.Resolve &&
				(d.State != delivery.Superseded || d.In != delivery.ID("test", d.IncidentKey, 1, 1, slackDest)) {
				t.Errorf("the resolve is %s, told in %q", d.State, d.In)
			}
		}
		// Mail has no digests here: it gets both.
		if mails := r.mails(); len(mails) != 2 {
			t.Errorf("%d mails", len(mails))
		}
	})
}

func TestCaseR6OneMessageAfterThePause(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 5 })
	r.inbox.Script(slackDest, inbox.RateLimited(300))
	for n, l := range []byte("FHHHHHHHH") {
		v.set("vendor", listingFor(t, l))
		r.tick(n)
	}
	if posts := r.posts(); len(posts) != 1 || !strings.Contains(posts[0], "FAILED AND RESOLVED") {
		t.Errorf("after the pause, told %q", posts)
	}
	for _, u := range r.usage() {
		if u.Channel == config.ChannelSlackWebhook && (u.Delivered != 1 || u.Attempted != 2) {
			t.Errorf("one message was counted as %+v", u)
		}
	}
}

// TestAfterAnOutageOfDelivery: Slack is out for hours. Meanwhile three incidents open
// and resolve, and another stays open with reminders that nobody saw.
func TestAfterAnOutageOfDelivery(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.audience(slackDest)
	r.cfg.Delivery.MaxAge = time.Hour
	r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 5 })
	for range 10_000 {
		r.inbox.Script(slackDest, inbox.ServerError())
	}
	all := []observation.Item{item("live", observation.Failing), item("one", observation.Failing), item("two", observation.Failing), item("three", observation.Failing)}
	v.set("vendor", whole(all...))
	r.tick(0)
	v.set("vendor", whole(all[0]))
	for n := 1; n <= 180; n++ {
		r.tick(n)
	}
	if posts := r.posts(); len(posts) != 0 {
		t.Fatalf("during the outage, told %q", posts)
	}
	r.inbox.Heal(slackDest)
	for n := 181; n <= 200; n++ {
		r.tick(n)
	}
	posts := r.posts()
	if len(posts) != 2 {
		t.Fatalf("after the outage, %d messages:\n%s", len(posts), strings.Join(posts, "\n---\n"))
	}
	live, over := posts[0], posts[1]
	if strings.Contains(live, "RESOLVED") {
		live, over = over, live
	}
	if !strings.Contains(live, "FAILING in test") || !strings.Contains(live, "Payment live fails") || !strings.Contains(live, "told late") {
		t.Errorf("the live incident is told as\n%s", live)
	}
	for _, want := range []string{"3 RESOLVED", "Failed and resolved, not told before (3)", "Payment one fails", "Payment two fails", "Payment three fails"} {
		if !strings.Contains(over, want) {
			t.Errorf("the digest does not say %q:\n%s", want, over)
		}
	}
}

func TestCaseS1ADigestPerDestination(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.configure(slackDest, func(d *config.Destination) { d.DigestOver, d.Pace = 5, time.Second })
		r.configure(mailDest, func(d *config.Destination) { d.DigestOver = 5 })
		var fail, heal []observation.Observation
		for n := range 40 {
			fail = append(fail, observedKey(n, noon, observation.Failing))
			heal = append(heal, observedKey(n, noon.Add(time.Minute), observation.Healthy), observedKey(n, noon.Add(2*time.Minute), observation.Healthy))
		}
		due := r.decideOnly(fail...)
		for i := 0; i < len(due); i += 10 {
			if failed := r.deliverer().Deliver(t.Context(), due[i:min(i+10, len(due))]); len(failed) > 0 {
				t.Fatal(failed)
			}
		}
		r.sweep()
		posts, mails := r.posts(), r.mails()
		if len(posts) != 1 || len(mails) != 1 {
			t.Fatalf("%d posts and %d mails for one storm", len(posts), len(mails))
		}
		for _, m := range []string{posts[0], mails[0]} {
			if !strings.Contains(m, "40 OPENED in test") || !strings.Contains(m, "Opened (40)") || !strings.Contains(m, "+17 more") {
				t.Errorf("the digest is\n%s", m)
			}
		}
		for _, u := range r.usage() {
			if u.Delivered != 1 || u.Attempted != 1 {
				t.Errorf("cost is counted as %+v", u)
			}
		}
		r.now = r.now.Add(3 * time.Minute)
		r.decideOnly(heal...)
		r.sweep()
		if posts := r.posts(); len(posts) != 2 || !strings.Contains(posts[1], "40 RESOLVED in test") {
			t.Errorf("the recovery was told as %q", posts[1:])
		}
		pointing := 0
		for _, d := range r.ledger() {
			if d.Action == incident.Open && d.State == delivery.Superseded && d.In != "" {
				pointing++
			}
		}
		if pointing != 80 {
			t.Errorf("%d of 80 opens point at their digest", pointing)
		}
	})
}

// TestCaseS1TheLargestDigest is case S1 at its largest: as many items as a digest
// holds, each with the longest texts, in the widest script, that an observation may
// have. The digest fits into a row.
func TestCaseS1TheLargestDigest(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 5 })
		var obs []observation.Observation
		for n := range delivery.MaxGathered {
			o := observedKey(n, noon, observation.Failing)
			o.Summary = strings.Repeat("😀", 1000)
			obs = append(obs, o)
		}
		r.decideOnly(obs...)
		r.sweep()
		if posts := r.posts(); len(posts) != 1 || !strings.Contains(posts[0], "97 OPENED in test") {
			t.Errorf("%d messages", len(posts))
		}
	})
}

func TestAFewMessagesAreToldOneByOne(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	r.audience(slackDest)
	r.configure(slackDest, func(d *config.Destination) { d.DigestOver, d.Pace = 5, time.Second })
	var fail []observation.Observation
	for n := range 5 {
		fail = append(fail, observedKey(n, noon, observation.Failing))
	}
	started := r.now
	r.decideOnly(fail...)
	r.sweep()
	posts := r.posts()
	if len(posts) != 5 || strings.Contains(strings.Join(posts, ""), "OPENED") {
		t.Errorf("told %q", posts)
	}
	if took := r.now.Sub(started); took != 4*time.Second {
		t.Errorf("five messages took %v at one a second", took)
	}
}

// TestCaseD3AStormOfThousands is cases D3 and S1: 5,000 opens for a webhook that
// accepts one message a second and says so, on a clock of the test's own.
func TestCaseD3AStormOfThousands(t *testing.T) {
	const keys = 5000
	r := newRig(t, memory.New(), newVendor())
	box, err := inbox.Start(inbox.Options{Burst: 1, Now: r.clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	r.inbox = box
	t.Setenv("SCENARIO_WEBHOOK", box.WebhookURL(slackDest))
	r.audience(slackDest)
	r.configure(slackDest, func(d *config.Destination) { d.DigestOver, d.Pace = 5, time.Second })
	var fail []observation.Observation
	for n := range keys {
		fail = append(fail, observedKey(n, noon, observation.Failing))
	}
	started := r.now
	due := r.decideOnly(fail...)
	for i := 0; i < len(due); i += 10 {
		if failed := r.deliverer().Deliver(t.Context(), due[i:min(i+10, len(due))]); len(failed) > 0 {
			t.Fatal(failed)
		}
	}
	for range 5 {
		r.now = r.now.Add(time.Minute)
		r.sweep()
	}
	messages, calls := r.messagesTo(slackDest), r.inbox.Calls()
	var told, opened int
	for _, d := range r.ledger() {
		switch {
		case d.Action == delivery.Digest && d.State == delivery.Delivered:
			told += len(d.Notice.Entries)
		case d.Action == incident.Open && d.State == delivery.Delivered:
			told++
		}
		if d.Action == incident.Open {
			opened++
		}
	}
	took := messages[len(messages)-1].At.Sub(started)
	t.Logf("%d opens told in %d messages within %v; %d calls", told, len(messages), took, len(calls))
	if told != keys || opened != keys {
		t.Errorf("%d of %d opens were told", told, opened)
	}
	if len(messages) > 55 || len(calls) != len(messages) || took > 2*time.Minute {
		t.Errorf("%d messages, %d calls, %v", len(messages), len(calls), took)
	}
	for i, m := range messages[1:] {
		if gap := m.At.Sub(messages[i].At); gap < time.Second {
			t.Fatalf("messages %d and %d are %v apart", i+1, i+2, gap)
		}
	}
	if u := r.usage(); len(u) != 1 || u[0].Delivered != int64(len(messages)) {
		t.Errorf("counted %+v", u)
	}
}

func TestCaseD5NoRetryWithoutDelayInsideOneInvocation(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	r.audience(slackDest)
	r.inbox.Script(slackDest, inbox.ServerError(), inbox.ServerError())
	due := r.decideOnly(observed(noon, observation.Failing))
	for range 3 {
		if failed := r.deliverer().Deliver(t.Context(), due); len(failed) > 0 {
			t.Fatal(failed)
		}
		r.sweep()
	}
	if calls := r.callsTo(slackDest); calls != 1 {
		t.Errorf("called %d times at one moment", calls)
	}
}

// TestARetryAroundTheSendCountsOnce: the worker runs again immediately before and
// immediately after the send. The delivered count of the incident stays one.
func TestARetryAroundTheSendCountsOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		due := r.decideOnly(observed(noon, observation.Failing))
		again := func() {
			if failed := r.deliverer().Deliver(t.Context(), due); len(failed) > 0 {
				t.Errorf("deliver: %v", failed)
			}
		}
		d := r.deliverer()
		for kind, sender := range d.Senders {
			d.Senders[kind] = hookedSender{sender, again}
		}
		if failed := d.Deliver(t.Context(), due); len(failed) > 0 {
			t.Fatal(failed)
		}
		again()
		if got := r.toldEqually(); got != "open" {
			t.Errorf("told %s", got)
		}
		for _, u := range r.usage() {
			if u.Attempted != 1 || u.Delivered != 1 || u.Repeated != 0 {
				t.Errorf("counted %+v", u)
			}
		}
	})
}

// TestCaseD4AHeldMessageIsResentByHand: a reminder that may have arrived is held. When
// a person insists, it is sent and says that it may be a repeat, although a later
// message has superseded it.
func TestCaseD4AHeldMessageIsResentByHand(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.audience(slackDest)
		p := incident.DefaultPolicy()
		p.Cooldown = time.Minute
		r.setPolicy(p)
		v.set("vendor", whole(item("card", observation.Failing)))
		r.tick(0)
		r.inbox.Script(slackDest, inbox.AcceptAndClose())
		r.tick(1)
		v.set("vendor", whole())
		r.tick(2)
		r.tick(3)
		var held []delivery.Delivery
		for _, d := range r.ledger() {
			if d.State == delivery.Held {
				held = append(held, d)
			}
		}
		if len(held) != 1 || held[0].Action != incident.Remind {
			t.Fatalf("held are %+v", held)
		}
		before := len(r.posts())
		if err := s.Resend(t.Context(), held[0].Ref(), r.now); err != nil {
			t.Fatal(err)
		}
		r.sweep()
		posts := r.posts()
		if len(posts) != before+1 || !strings.Contains(posts[before], "may be a repeat") || !strings.Contains(posts[before], held[0].ID) {
			t.Errorf("after the resend, told %q", posts[before:])
		}
		for _, u := range r.usage() {
			if u.Held != 0 || u.Repeated != 1 || u.Delivered != 3 {
				t.Errorf("counted %+v", u)
			}
		}
	})
}

// TestCaseC5ADigestOfHostileTexts is cases C5 and C6 for digests: a strict inbox
// accepts them whatever the vendor wrote, and shows the text literally.
func TestCaseC5ADigestOfHostileTexts(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 5 })
	r.configure(mailDest, func(d *config.Destination) { d.DigestOver = 5 })
	hostile := []string{
		`<!channel> & <https://evil|ok> "q"`, strings.Repeat("x", 10_000), strings.Repeat("line\n", 400),
		"\u202Egnp.exe", "*bold* _it_ `code` :tada:", strings.Repeat("<&>", 500),
	}
	var fail []observation.Observation
	for n := range 90 {
		o := observedKey(n, noon, observation.Failing)
		o.Summary = hostile[n%len(hostile)]
		fail = append(fail, o)
	}
	r.decideOnly(fail...)
	r.sweep()
	posts := r.messagesTo(slackDest)
	if len(posts) != 1 || len(r.mails()) != 1 || r.callsTo(slackDest) != 1 {
		t.Fatalf("%d posts in %d calls, %d mails", len(posts), r.callsTo(slackDest), len(r.mails()))
	}
	if p := posts[0].Post; len(p.Mentions) != 0 || !strings.Contains(r.posts()[0], `<!channel> & <https://evil|ok> "q"`) {
		t.Errorf("mentions %v in\n%s", p.Mentions, r.posts()[0])
	}
	for _, l := range posts[0].Post.Links {
		t.Errorf("a link %+v was made of vendor text", l)
	}
}
