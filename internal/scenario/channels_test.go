package scenario_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// atTicks gives the rig an inbox whose clock follows the ticks: it checks signatures
// and histories by that clock. It returns the function that sets the clock.
func (r *rig) atTicks() func(n int) {
	r.t.Helper()
	var tick atomic.Int64
	box, err := inbox.Start(inbox.Options{Now: func() time.Time { return noon.Add(time.Duration(tick.Load()) * time.Minute) }})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(box.Close)
	r.inbox = box
	return func(n int) { tick.Store(int64(n)) }
}

// tell replaces the owner's destinations.
func (r *rig) tell(destinations ...config.Destination) {
	owner := r.cfg.Owners["payments"]
	owner.Destinations = nil
	for _, d := range destinations {
		r.cfg.Destinations[d.ID] = d
		owner.Destinations = append(owner.Destinations, d.ID)
	}
	r.cfg.Owners["payments"] = owner
}

// TestCaseD4OnChannelsThatTellRepeats is case D4 on channels that recognise a repeat:
// the provider accepts each message of an episode and cuts the connection, and has
// each once in the end.
func TestCaseD4OnChannelsThatTellRepeats(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		clock := r.atTicks()
		t.Setenv("SCENARIO_SIGN", r.inbox.SigningSecret("erp"))
		t.Setenv("SCENARIO_ROUTING_KEY", r.inbox.RoutingKey("pagerduty"))
		t.Setenv("SCENARIO_TOKEN", inbox.SlackToken)
		r.tell(
			config.Destination{ID: "erp", Channel: config.ChannelWebhook, URL: r.inbox.ReceiverURL("erp"), SigningSecret: "env:SCENARIO_SIGN"},
			config.Destination{ID: "pagerduty", Channel: config.ChannelPagerDuty, APIURL: r.inbox.PagerDutyURL(), RoutingKey: "env:SCENARIO_ROUTING_KEY", Severity: "error"},
			config.Destination{
				ID: "bot", Channel: config.ChannelSlackBot, APIURL: r.inbox.SlackAPI(), Token: "env:SCENARIO_TOKEN", ChannelID: r.inbox.SlackChannel("bot"),
			},
		)
		p := incident.DefaultPolicy()
		p.Cooldown = 5 * time.Minute
		r.setPolicy(p)
		for n, l := range []byte("F....F....HH....") {
			if l == 'F' || n == 11 {
				for _, d := range []string{"erp", "pagerduty", "bot"} {
					r.inbox.Script(d, inbox.AcceptAndClose())
				}
			}
			if l != '.' {
				v.set("vendor", listingFor(t, l))
			}
			clock(n)
			r.tick(n)
		}
		told := r.told()
		for _, d := range []string{"erp", "pagerduty", "bot"} {
			if got := strings.Join(told[d], " "); got != "open remind resolve" {
				t.Errorf("%s was told %s", d, got)
			}
		}
		if a := r.inbox.Alerts(); len(a) != 1 || !a[0].Resolved {
			t.Errorf("alerts %+v", a)
		}
		if posts := r.inbox.SlackPosts(); len(posts) != 3 || posts[1].ThreadTS != posts[0].TS || posts[2].ThreadTS != posts[0].TS {
			t.Errorf("posts %+v", posts)
		}
		for _, u := range r.usage() {
			if u.Delivered != 3 || u.Attempted < 6 {
				t.Errorf("counted %+v", u)
			}
		}
	})
}

// TestARetryUnderAKeyHasTheSameBytes: a retry with an idempotency key sends the same
// bytes, even if a version that renders messages differently was deployed in between.
func TestARetryUnderAKeyHasTheSameBytes(t *testing.T) {
	r := newRig(t, memory.New(), newVendor())
	t.Setenv("SCENARIO_SIGN", "a secret of enough bytes")
	r.tell(config.Destination{ID: "erp", Channel: config.ChannelWebhook, URL: "env:SCENARIO_SIGN", SigningSecret: "env:SCENARIO_SIGN"})
	var sent []string
	outcomes := []delivery.Outcome{{Class: delivery.Ambiguous, Code: "timeout"}, {Class: delivery.Temporary, Code: "http_503"}, {Class: delivery.Accepted}}
	r.decideOnly(observed(noon, observation.Failing))
	for n := range outcomes {
		x := r.deliverer()
		x.Render = func(string, notice.Notice) ([]byte, error) { return fmt.Appendf(nil, "version %d", n), nil }
		x.Senders = map[string]deliver.Sender{config.ChannelWebhook: senderFunc(func(_ context.Context, _ config.Destination, d delivery.Delivery) delivery.Outcome {
			sent = append(sent, string(d.Payload))
			return outcomes[n]
		})}
		r.now = r.now.Add(time.Minute)
		if _, err := x.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	frozen := string(r.inState(delivery.Delivered).Payload)
	if len(sent) != 3 || sent[0] != frozen || sent[1] != frozen || sent[2] != frozen {
		t.Errorf("sent %q, frozen was %q", sent, frozen)
	}
}

// TestEachRecipientIsToldByItself: one bad address affects no other recipient, and no
// recipient sees another.
func TestEachRecipientIsToldByItself(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	good, bad := "good@example.com", "bad@example.com"
	to := func(address string) config.Destination {
		return config.Destination{
			ID: config.RecipientID("mail", address), Group: "mail", Channel: config.ChannelSES, From: "alerts@example.com", To: []string{address},
		}
	}
	r.tell(to(good), to(bad))
	r.inbox.Script(bad, inbox.Fault{Status: 400, Word: "MessageRejected"})
	for n, l := range []byte("FHH...") {
		if l != '.' {
			v.set("vendor", listingFor(t, l))
		}
		r.tick(n)
	}
	told := r.told()
	if got := strings.Join(told[to(good).ID], " "); got != "open resolve" || len(told) != 1 {
		t.Errorf("told %v", told)
	}
	for _, m := range r.inbox.Messages() {
		if !slices.Equal(m.Letter.To, []string{good}) {
			t.Errorf("a letter to %q", m.Letter.To)
		}
	}
}

// TestABotThatMayNotPostIsQuarantined: a bot that lacks a scope can post nothing. One
// message is refused; the others wait until the scope is granted.
func TestABotThatMayNotPostIsQuarantined(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	t.Setenv("SCENARIO_TOKEN", inbox.SlackToken)
	r.tell(config.Destination{ID: "bot", Channel: config.ChannelSlackBot, APIURL: r.inbox.SlackAPI(), Token: "env:SCENARIO_TOKEN", ChannelID: r.inbox.SlackChannel("bot")})
	r.inbox.Script("bot", slices.Repeat([]inbox.Fault{{Status: 200, Word: "missing_scope"}}, 3)...)
	var failing []observation.Item
	for n, name := range []string{"card", "bank", "cash"} {
		failing = append(failing, item(name, observation.Failing))
		v.set("vendor", whole(failing...))
		r.tick(n)
	}
	states := map[delivery.State]int{}
	for _, d := range r.ledger() {
		states[d.State]++
	}
	if states[delivery.Dead] != 1 || states[delivery.Pending] != 2 {
		t.Errorf("states %v", states)
	}
}

// TestABotLooksBeforeItHolds is case D4 for a bot that reads its channel. It looks for
// a message before it holds it. One that is found was delivered; one that is not found
// or cannot be looked for is held, as is one that was in doubt twice. None arrives
// twice.
func TestABotLooksBeforeItHolds(t *testing.T) {
	lost := inbox.Fault{Close: true}
	for _, x := range []struct {
		name, line   string
		posts, looks []inbox.Fault
		told         string
		state        delivery.State
		doubts       int
	}{
		{"a reminder that is there", "F....F.", []inbox.Fault{{}, inbox.AcceptAndClose()}, nil, "open remind", delivery.Delivered, 1},
		{"a reminder that is not there", "F....F.", []inbox.Fault{{}, lost}, nil, "open", delivery.Held, 1},
		{"a reminder that may not be looked for", "F....F.", []inbox.Fault{{}, inbox.AcceptAndClose()}, slices.Repeat([]inbox.Fault{{Status: 200, Word: "missing_scope"}}, 2), "open remind", delivery.Held, 1},
		{"a look that must wait", "F....F..", []inbox.Fault{{}, inbox.AcceptAndClose()}, []inbox.Fault{inbox.ServerError(), inbox.ServerError()}, "open remind", delivery.Delivered, 1},
		{"an open in doubt twice, there the second time", "F.F", []inbox.Fault{lost, inbox.AcceptAndClose()}, nil, "open", delivery.Delivered, 2},
		{"an open in doubt twice, never there", "F.F", []inbox.Fault{lost, lost}, nil, "", delivery.Held, 2},
	} {
		t.Run(x.name, func(t *testing.T) {
			v := newVendor()
			r := newRig(t, memory.New(), v)
			clock := r.atTicks()
			t.Setenv("SCENARIO_TOKEN", inbox.SlackToken)
			r.tell(config.Destination{ID: "bot", Channel: config.ChannelSlackBot, APIURL: r.inbox.SlackAPI(), Token: "env:SCENARIO_TOKEN", ChannelID: r.inbox.SlackChannel("bot")})
			p := incident.DefaultPolicy()
			p.Cooldown = 5 * time.Minute
			r.setPolicy(p)
			r.inbox.Script("bot", x.posts...)
			r.inbox.Script("bot/history", x.looks...)
			for n, l := range []byte(x.line) {
				if l != '.' {
					v.set("vendor", listingFor(t, l))
				}
				clock(n)
				r.tick(n)
			}
			r.sweeps(5, time.Minute)
			d := r.ledger()[len(r.ledger())-1]
			doubts := 0
			for _, a := range d.Attempts {
				if a.Class == delivery.Ambiguous {
					doubts++
				}
			}
			told := r.told()["bot"]
			if got := strings.Join(told, " "); got != x.told || len(r.inbox.SlackPosts()) != len(told) || d.State != x.state || doubts != x.doubts {
				t.Errorf("told %q, %s, attempts %+v", got, d.State, d.Attempts)
			}
		})
	}
}

// TestABotLooksForWhatALostWorkerSent is case D4 for a reminder whose worker was lost
// and that the next reminder has superseded. It is not sent again, but still looked
// for: if it is found, no person is needed.
func TestABotLooksForWhatALostWorkerSent(t *testing.T) {
	for _, x := range []struct {
		name  string
		looks []inbox.Fault
		told  string
		state delivery.State
	}{
		{"it is there", nil, "open remind remind resolve", delivery.Delivered},
		{"it may not be looked for", slices.Repeat([]inbox.Fault{{Status: 200, Word: "missing_scope"}}, 2), "open remind remind resolve", delivery.Held},
		{"Slack does not answer", []inbox.Fault{inbox.ServerError()}, "open remind remind resolve", delivery.Superseded},
	} {
		t.Run(x.name, func(t *testing.T) {
			v, store := newVendor(), memory.New()
			r := newRig(t, store, v)
			clock := r.atTicks()
			t.Setenv("SCENARIO_TOKEN", inbox.SlackToken)
			r.tell(config.Destination{ID: "bot", Channel: config.ChannelSlackBot, APIURL: r.inbox.SlackAPI(), Token: "env:SCENARIO_TOKEN", ChannelID: r.inbox.SlackChannel("bot")})
			p := incident.DefaultPolicy()
			p.Cooldown = time.Minute
			r.setPolicy(p)
			r.inbox.Script("bot/history", x.looks...)
			settled := 0
			store.SetHook(func(_ context.Context, c memory.Call) error {
				if c.Op == "Settle" && c.Phase == memory.Before {
					if settled++; settled == 2 {
						return delivery.ErrFenced // its word is lost
					}
				}
				return nil
			})
			for n, l := range []byte("FFFHH") {
				v.set("vendor", listingFor(t, l))
				clock(n)
				r.tick(n)
			}
			r.sweeps(5, time.Minute)
			var first delivery.Delivery
			for _, d := range r.ledger() {
				if d.Sequence == 2 {
					first = d
				}
			}
			told := r.told()["bot"]
			if got := strings.Join(told, " "); got != x.told || len(r.inbox.SlackPosts()) != len(told) || first.State != x.state {
				t.Errorf("told %q, %s (%s), attempts %+v", got, first.State, first.Note, first.Attempts)
			}
		})
	}
}
