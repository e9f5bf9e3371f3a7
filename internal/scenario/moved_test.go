package scenario_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

const newDest = "slack-new"

// renamed gives Slack's destination another name and another webhook.
func (r *rig) renamed(t *testing.T) {
	t.Helper()
	t.Setenv("SCENARIO_NEW_WEBHOOK", r.inbox.WebhookURL(newDest))
	d := r.cfg.Destinations[slackDest]
	delete(r.cfg.Destinations, slackDest)
	d.ID, d.WebhookURL = newDest, "env:SCENARIO_NEW_WEBHOOK"
	r.cfg.Destinations[newDest] = d
	r.audience(newDest, mailDest)
}

// undelivered plays an open that Slack does not accept for 20 minutes.
func undelivered(t *testing.T, r *rig, v *vendor, keys ...string) {
	t.Helper()
	r.inbox.Script(slackDest, slices.Repeat([]inbox.Fault{inbox.ServerError()}, 1000)...)
	var items []observation.Item
	for _, k := range keys {
		items = append(items, item(k, observation.Failing))
	}
	v.set("vendor", whole(items...))
	for n := range 20 {
		r.tick(n)
	}
}

// TestARenamedDestinationIsToldByItsNewName: a message that was not delivered goes to
// the owner's present destinations, except those that were told already. Its resolve
// follows it.
func TestARenamedDestinationIsToldByItsNewName(t *testing.T) {
	for _, digest := range []bool{false, true} {
		eachStore(t, func(t *testing.T, s store) {
			v := newVendor()
			r := newRig(t, s, v)
			keys := []string{"card"}
			if digest {
				r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 2 })
				keys = []string{"card", "bank", "cash"}
			}
			undelivered(t, r, v, keys...)
			r.renamed(t)
			for n := 20; n < 26; n++ {
				r.tick(n)
			}
			told := r.messagesTo(newDest)
			if len(told) != 1 || !strings.Contains(shown(told[0]), "destination slack-payments could not be told (it is configured no more)") {
				t.Fatalf("by its new name it was told %d times", len(told))
			}
			if mails := r.mails(); len(mails) != len(keys) {
				t.Errorf("mail, which had been told, has %d messages", len(mails))
			}
			v.set("vendor", whole())
			for n := 26; n < 30; n++ {
				r.tick(n)
			}
			want := "RESOLVED in test"
			if digest {
				want = "3 RESOLVED in test"
			}
			if told := r.messagesTo(newDest); len(told) != 2 || !strings.Contains(shown(told[1]), want) {
				t.Errorf("%d messages, the last is not %s", len(told), want)
			}
			for _, d := range r.ledger() {
				if d.Destination == slackDest && (d.State != delivery.Superseded || (d.In == "" && !strings.Contains(d.Note, "configured no more; told at slack-new, mail-payments"))) {
					t.Errorf("%s is %s: %s", d.Action, d.State, d.Note)
				}
			}
		})
	}
}

// TestARemovedFallbackLosesNothing: Slack refuses an open, and its fallback is out and
// then removed. The message goes back to Slack, which is repaired by then: a refusal
// there does not count as told.
func TestARemovedFallbackLosesNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
		r.inbox.Script(slackDest, inbox.Fault{Status: 400, Word: "invalid_blocks"})
		r.inbox.Script(mailTo, slices.Repeat([]inbox.Fault{inbox.ServerError()}, 1000)...)
		r.decideOnly(observed(noon, observation.Failing))
		r.sweeps(5, time.Minute)
		r.configure(slackDest, func(d *config.Destination) { d.Fallback = "" })
		delete(r.cfg.Destinations, mailDest)
		r.sweeps(20, time.Minute)
		if posts := r.posts(); len(posts) != 1 || !strings.Contains(posts[0], "destination mail-payments could not be told (it is configured no more)") {
			t.Errorf("told %q", posts)
		}
	})
}

// TestADigestMovesToSeveralMachines: each destination is told the items one by one if
// one transaction can hold them all; otherwise the last one is told the digest.
func TestADigestMovesToSeveralMachines(t *testing.T) {
	for incidents, second := range map[int]int{3: 3, 60: 1} {
		eachStore(t, func(t *testing.T, s store) {
			r := newRig(t, s, newVendor())
			r.audience(slackDest)
			r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 2 })
			r.inbox.Script(slackDest, inbox.ServerError())
			var obs []observation.Observation
			for n := range incidents {
				obs = append(obs, observedKey(n, noon, observation.Failing))
			}
			r.decideOnly(obs...)
			r.sweep()
			delete(r.cfg.Destinations, slackDest)
			for id, secret := range map[string]string{"machine-1": "SCENARIO_KEY_1", "machine-2": "SCENARIO_KEY_2"} {
				t.Setenv(secret, r.inbox.RoutingKey(id))
				r.cfg.Destinations[id] = config.Destination{
					ID: id, Channel: config.ChannelPagerDuty, APIURL: r.inbox.PagerDutyURL(), RoutingKey: "env:" + secret, Severity: "error",
				}
			}
			r.audience("machine-1", "machine-2")
			r.now = r.now.Add(20 * time.Minute)
			r.sweep()
			told := map[string]int{}
			for _, d := range r.ledger() {
				if d.State == delivery.Delivered {
					told[d.Destination]++
				}
			}
			if told["machine-1"] != incidents || told["machine-2"] != second || len(told) != 2 {
				t.Errorf("of %d incidents told %v", incidents, told)
			}
		})
	}
}

// TestARemovedDestinationWithoutAnotherSaysSo: no destination is left to tell. The
// ledger records it, and the counter of dead messages raises the alarm.
func TestARemovedDestinationWithoutAnotherSaysSo(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.audience(slackDest)
		undelivered(t, r, v, "card")
		delete(r.cfg.Destinations, slackDest)
		r.audience()
		for n := 20; n < 26; n++ {
			r.tick(n)
		}
		rows := r.ledger()
		if len(rows) != 1 || rows[0].State != delivery.Dead || rows[0].Note != "destination slack-payments is configured no more, and owner payments has no other" {
			t.Errorf("the ledger has %d items, the first %s: %s", len(rows), rows[0].State, rows[0].Note)
		}
		if u := r.usage(); len(u) != 1 || u[0].Dead != 1 {
			t.Errorf("counted %+v", u)
		}
	})
}

// TestADestinationThatIsNewWaits: during a deployment, decide knows a destination
// before deliver does.
func TestADestinationThatIsNewWaits(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.audience(slackDest)
	due := r.decideOnly(observed(noon, observation.Failing))
	to := r.cfg.Destinations[slackDest]
	delete(r.cfg.Destinations, slackDest)
	r.audience(mailDest)
	if failed := r.deliverer().Deliver(t.Context(), due); len(failed) > 0 {
		t.Fatal(failed)
	}
	r.cfg.Destinations[slackDest] = to
	r.tick(3)
	if posts, mails := r.posts(), r.mails(); len(posts) != 1 || len(mails) != 0 {
		t.Errorf("%d posts and %d mails", len(posts), len(mails))
	}
}

// shown returns the text of a Slack message.
func shown(m inbox.Message) string {
	var lines []string
	for _, l := range m.Post.Shown {
		lines = append(lines, l.Text)
	}
	return strings.Join(lines, "\n")
}

// TestALargeDigestMovesToManyDestinations: a digest of 97 incidents with long keys is
// so large that one transaction cannot hold a copy for each of a team's destinations.
// Each is told once, a few in each sweep.
func TestALargeDigestMovesToManyDestinations(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	r.audience(slackDest)
	r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 2 })
	r.inbox.Script(slackDest, inbox.ServerError())
	var obs []observation.Observation
	for n := range delivery.MaxGathered {
		o := observedKey(n, noon, observation.Failing)
		o.IncidentKey += strings.Repeat("/long=key", 100)
		obs = append(obs, o)
	}
	r.decideOnly(obs...)
	r.sweep()
	delete(r.cfg.Destinations, slackDest)
	r.team("a")
	r.now = r.now.Add(20 * time.Minute)
	r.sweeps(4, time.Minute)
	told := map[string]int{}
	for _, d := range r.ledger() {
		switch {
		case d.State == delivery.Delivered && d.Action == delivery.Digest:
			told[d.Destination]++
		case !d.State.Final():
			t.Errorf("%s to %s is %s: %s", d.Action, d.Destination, d.State, d.Note)
		}
	}
	eachOnce(t, told, 40)
}

// TestADigestOfLargeMessages: the messages of 97 incidents are too large for one
// transaction. They are told in two digests.
func TestADigestOfLargeMessages(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	r.audience(slackDest)
	r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 2 })
	var obs []observation.Observation
	for n := range delivery.MaxGathered {
		o := observedKey(n, noon, observation.Failing)
		o.Evidence.Samples = []string{strings.Repeat("x", 50_000)}
		obs = append(obs, o)
	}
	r.decideOnly(obs...)
	r.sweep()
	if told := len(r.messagesTo(slackDest)); told != 2 {
		t.Errorf("told in %d messages, want 2", told)
	}
	for _, d := range r.ledger() {
		if !d.State.Final() {
			t.Errorf("%s of %s is %s", d.Action, d.IncidentKey, d.State)
		}
	}
}
