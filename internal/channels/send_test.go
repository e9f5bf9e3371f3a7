package channels_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/pagerduty"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/slack"
	"github.com/ringonce/ringonce/internal/webhook"
)

// vault is a map of secrets that notes what it was asked to forget.
type vault struct {
	values    map[string]string
	forgotten []string
}

func (v *vault) Resolve(_ context.Context, ref string) (string, error) {
	value, ok := v.values[ref]
	if !ok {
		return "", errors.New("there is no such secret")
	}
	return value, nil
}

func (v *vault) Invalidate(ref string) { v.forgotten = append(v.forgotten, ref) }

type episodes []delivery.Delivery

func (e episodes) Episode(context.Context, string, int) ([]delivery.Delivery, error) { return e, nil }

func item(t *testing.T, channel string, n int) delivery.Delivery {
	t.Helper()
	e := sendertest.Examples()[n].Notice
	payload, err := channels.Render(channel, e)
	if err != nil {
		t.Fatal(err)
	}
	return delivery.Delivery{
		ID: e.DeliveryID, IncidentKey: e.IncidentKey, Episode: e.Episode, Sequence: e.Sequence, Action: e.Action,
		Destination: "d", Channel: channel, Notice: e, Payload: payload,
		Attempts: []delivery.Attempt{{Number: 1, Started: time.Now()}},
	}
}

func start(t *testing.T) *inbox.Inbox {
	t.Helper()
	box, err := inbox.Start(inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	return box
}

const resolve = 4 // among the examples

// A bot's resolve finds its thread by what the ledger keeps of the open, at its
// own destination only; without an answer from the ledger it waits.
func TestSlackBotFindsItsThread(t *testing.T) {
	box := start(t)
	v := &vault{values: map[string]string{"env:TOKEN": inbox.SlackToken, "env:API": box.SlackAPI()}}
	to := config.Destination{ID: "d", Channel: config.ChannelSlackBot, APIURL: "env:API", Token: "env:TOKEN", ChannelID: box.SlackChannel("alerts")}
	bot := channels.SlackBot{Bot: slack.NewBot(nil, time.Now), Secrets: v, Ledger: episodes{}}
	open := item(t, to.Channel, 0)
	o := bot.Send(t.Context(), to, open)
	if o.Class != delivery.Accepted {
		t.Fatalf("open: %+v", o)
	}
	open.Attempts[0].ProviderID = o.ProviderID
	elsewhere := open
	elsewhere.Destination, elsewhere.Attempts = "other", []delivery.Attempt{{ProviderID: to.ChannelID + ":1.1"}}
	bot.Ledger = episodes{elsewhere, open}
	if o := bot.Send(t.Context(), to, item(t, to.Channel, resolve)); o.Class != delivery.Accepted {
		t.Fatalf("resolve: %+v", o)
	}
	posts := box.SlackPosts()
	if len(posts) != 2 || posts[1].ThreadTS != posts[0].TS || posts[0].Edits != 1 {
		t.Errorf("posts %+v", posts)
	}
}

// Where a silence kept the open back, the message that came when it had ended is
// the thread.
func TestSlackBotFindsItsThreadAfterASilence(t *testing.T) {
	box := start(t)
	v := &vault{values: map[string]string{"env:TOKEN": inbox.SlackToken}}
	to := config.Destination{ID: "d", Channel: config.ChannelSlackBot, APIURL: box.SlackAPI(), Token: "env:TOKEN", ChannelID: box.SlackChannel("alerts")}
	open, ended, over := item(t, to.Channel, 0), item(t, to.Channel, 7), item(t, to.Channel, resolve)
	if ended.Action != incident.SilenceEnded {
		t.Fatalf("the example is %s", ended.Action)
	}
	open = open.Silence("s-1")
	open.Attempts, open.Sequence, ended.Sequence, over.Sequence = nil, 1, 2, 3
	bot := channels.SlackBot{Bot: slack.NewBot(nil, time.Now), Secrets: v, Ledger: episodes{open, ended}}
	o := bot.Send(t.Context(), to, ended)
	ended.Attempts[0].ProviderID = o.ProviderID
	bot.Ledger = episodes{open, ended, over}
	if last := bot.Send(t.Context(), to, over); o.Class != delivery.Accepted || last.Class != delivery.Accepted {
		t.Fatalf("%+v, then %+v", o, last)
	}
	posts := box.SlackPosts()
	if len(posts) != 2 || posts[0].ThreadTS != "" || posts[1].ThreadTS != posts[0].TS {
		t.Errorf("posts %+v", posts)
	}
}

// case D4: an attempt that may have arrived, or whose worker was lost, makes a
// bot look before it posts.
func TestSlackBotLooksFirst(t *testing.T) {
	for _, class := range []delivery.Class{delivery.Ambiguous, ""} {
		box := start(t)
		v := &vault{values: map[string]string{"env:TOKEN": inbox.SlackToken}}
		to := config.Destination{ID: "d", APIURL: box.SlackAPI(), Token: "env:TOKEN", ChannelID: box.SlackChannel("alerts")}
		bot := channels.SlackBot{Bot: slack.NewBot(nil, time.Now), Secrets: v, Ledger: episodes{}}
		box.Script("alerts", inbox.AcceptAndClose())
		d := item(t, config.ChannelSlackBot, 0)
		bot.Send(t.Context(), to, d)
		d.Attempts[0].Class = class
		d.Attempts = append(d.Attempts, delivery.Attempt{Number: 2, Started: time.Now()})
		if o := bot.Send(t.Context(), to, d); o.Code != "found" || len(box.Messages()) != 1 {
			t.Errorf("after %q: %+v, %d messages", class, o, len(box.Messages()))
		}
	}
}

// Secrets that a service refuses are read again before their next use; those
// that cannot be read make the send wait.
func TestRefusedSecretsAreReadAgain(t *testing.T) {
	box := start(t)
	box.ReceiverURL("erp")
	all := map[string]string{
		"env:SIGN": "not the secret that it knows", "env:KEY": "short", "env:TOKEN": "xoxb-other", "env:ERP": box.ReceiverURL("erp"),
	}
	for name, x := range map[string]struct {
		send func(channels.Secrets) delivery.Outcome
		ref  string
	}{
		"webhook": {func(s channels.Secrets) delivery.Outcome {
			h := channels.Webhook{Sender: webhook.NewSender(nil, time.Now), Secrets: s}
			return h.Send(t.Context(), config.Destination{URL: "env:ERP", SigningSecret: "env:SIGN"}, item(t, config.ChannelWebhook, 0))
		}, "env:SIGN"},
		"pagerduty": {func(s channels.Secrets) delivery.Outcome {
			p := channels.PagerDuty{Sender: pagerduty.NewSender(nil, time.Now), Secrets: s}
			return p.Send(t.Context(), config.Destination{APIURL: box.PagerDutyURL(), RoutingKey: "env:KEY", Severity: "info"}, item(t, config.ChannelPagerDuty, 0))
		}, "env:KEY"},
		"bot": {func(s channels.Secrets) delivery.Outcome {
			b := channels.SlackBot{Bot: slack.NewBot(nil, time.Now), Secrets: s, Ledger: episodes{}}
			return b.Send(t.Context(), config.Destination{APIURL: box.SlackAPI(), Token: "env:TOKEN", ChannelID: "C0"}, item(t, config.ChannelSlackBot, 0))
		}, "env:TOKEN"},
	} {
		v := &vault{values: all}
		if o := x.send(v); o.Class != delivery.Permanent && !o.Misconfigured {
			t.Errorf("%s: %+v", name, o)
		}
		if !slices.Contains(v.forgotten, x.ref) {
			t.Errorf("%s: forgot %q, want %s", name, v.forgotten, x.ref)
		}
		if o := x.send(&vault{}); o.Class != delivery.Temporary || o.Code != "secret_unavailable" {
			t.Errorf("%s without its secret: %+v", name, o)
		}
	}
	if n := len(box.Messages()); n != 0 {
		t.Errorf("%d messages arrived", n)
	}
}

// Every channel of the configuration can be rendered.
func TestEveryChannelRenders(t *testing.T) {
	for _, c := range config.Channels() {
		if p, err := channels.Render(c, sendertest.Examples()[0].Notice); err != nil || len(p) == 0 {
			t.Errorf("%s: %v", c, err)
		}
	}
}

// rotated answers with what was remembered until that is forgotten.
type rotated struct {
	old, fresh string
	forgotten  bool
}

func (r *rotated) Invalidate(string) { r.forgotten = true }

func (r *rotated) Resolve(context.Context, string) (string, error) {
	if r.forgotten {
		return r.fresh, nil
	}
	return r.old, nil
}

// A refusal of a secret that was only remembered is no verdict on the one that
// has taken its place: the message waits, and its next try is taken.
func TestARotatedSecretLosesNoMessage(t *testing.T) {
	box := start(t)
	for name, x := range map[string]struct {
		old, fresh string
		send       func(channels.Secrets) delivery.Outcome
	}{
		"pagerduty": {"short", box.RoutingKey("payments"), func(s channels.Secrets) delivery.Outcome {
			p := channels.PagerDuty{Sender: pagerduty.NewSender(nil, time.Now), Secrets: s}
			return p.Send(t.Context(), config.Destination{APIURL: box.PagerDutyURL(), RoutingKey: "env:KEY", Severity: "info"}, item(t, config.ChannelPagerDuty, 0))
		}},
		"webhook": {"it-was-the-secret-before", box.SigningSecret("erp"), func(s channels.Secrets) delivery.Outcome {
			h := channels.Webhook{Sender: webhook.NewSender(nil, time.Now), Secrets: s}
			return h.Send(t.Context(), config.Destination{URL: box.ReceiverURL("erp"), SigningSecret: "env:SIGN"}, item(t, config.ChannelWebhook, 0))
		}},
		"bot": {"xoxb-revoked", inbox.SlackToken, func(s channels.Secrets) delivery.Outcome {
			b := channels.SlackBot{Bot: slack.NewBot(nil, time.Now), Secrets: s, Ledger: episodes{}}
			return b.Send(t.Context(), config.Destination{APIURL: box.SlackAPI(), Token: "env:TOKEN", ChannelID: box.SlackChannel("alerts")}, item(t, config.ChannelSlackBot, 0))
		}},
	} {
		if o := x.send(&rotated{old: x.old, fresh: x.old}); o.Class != delivery.Permanent && !o.Misconfigured {
			t.Errorf("%s: a refusal of the present value is %+v", name, o)
		}
		s := &rotated{old: x.old, fresh: x.fresh}
		if o := x.send(s); o.Class != delivery.Temporary || o.Code != "secret_changed" {
			t.Errorf("%s: a refusal of a remembered value is %+v", name, o)
		}
		if o := x.send(s); o.Class != delivery.Accepted {
			t.Errorf("%s: the next try is %+v", name, o)
		}
	}
}

// So is a refusal of a look: it is made again with the token of now, and only what that
// may not see stays unknown.
func TestALookWithARotatedTokenIsMadeAgain(t *testing.T) {
	box := start(t)
	to := config.Destination{ID: "d", APIURL: box.SlackAPI(), Token: "env:TOKEN", ChannelID: box.SlackChannel("alerts")}
	look := func(s channels.Secrets, d delivery.Delivery) (delivery.Outcome, bool) {
		return channels.SlackBot{Bot: slack.NewBot(nil, time.Now), Secrets: s, Ledger: episodes{}}.Look(t.Context(), to, d)
	}
	s := &rotated{old: "xoxb-revoked", fresh: inbox.SlackToken}
	box.Script("alerts", inbox.AcceptAndClose())
	d := item(t, config.ChannelSlackBot, 0)
	channels.SlackBot{Bot: slack.NewBot(nil, time.Now), Secrets: &rotated{old: inbox.SlackToken, fresh: inbox.SlackToken}, Ledger: episodes{}}.Send(t.Context(), to, d)
	d.Attempts[0].Class = delivery.Ambiguous
	d.Attempts = append(d.Attempts, delivery.Attempt{Number: 2, Started: time.Now()})
	if o, known := look(s, d); !known || o.Class != delivery.Temporary || o.Code != "secret_changed" {
		t.Errorf("with the token of before: %+v, %v", o, known)
	}
	if o, known := look(s, d); !known || o.Code != "found" {
		t.Errorf("with the token of now: %+v, %v", o, known)
	}
	if o, known := look(&rotated{old: "xoxb-revoked", fresh: "xoxb-revoked"}, d); known {
		t.Errorf("with a token that is refused: %+v", o)
	}
	if o, known := look(&vault{}, d); !known || o.Class != delivery.Temporary {
		t.Errorf("without a token: %+v, %v", o, known)
	}
}

// Slack's words for a token that will not do are all doubted, and no more than
// once for each send.
func TestEveryRefusalOfATokenIsDoubted(t *testing.T) {
	for _, word := range []string{"invalid_auth", "token_revoked", "token_expired", "account_inactive", "not_authed", "channel_not_found"} {
		calls := 0
		api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			calls++
			fmt.Fprintf(w, `{"ok":false,"error":%q}`, word)
		}))
		t.Cleanup(api.Close)
		b := channels.SlackBot{Bot: slack.NewBot(nil, time.Now), Secrets: &rotated{old: "xoxb-1", fresh: "xoxb-2"}, Ledger: episodes{}}
		o := b.Send(t.Context(), config.Destination{APIURL: api.URL, Token: "env:TOKEN", ChannelID: "C0"}, item(t, config.ChannelSlackBot, 0))
		if o.Class != delivery.Temporary || o.Code != "secret_changed" || calls != 1 {
			t.Errorf("%s: %+v after %d calls", word, o, calls)
		}
	}
}
