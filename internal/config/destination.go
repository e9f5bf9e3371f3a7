package config

import (
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// The channels.
const (
	ChannelSlackWebhook = "slack_webhook"
	ChannelSlackBot     = "slack_bot"
	ChannelSES          = "ses"
	ChannelPagerDuty    = "pagerduty"
	ChannelWebhook      = "webhook"
)

// Idempotent reports whether a channel's provider honours an idempotency key: a send
// that may have arrived is then repeated without harm, with the same bytes.
func Idempotent(channel string) bool { return channel == ChannelPagerDuty || channel == ChannelWebhook }

// maxRecipients keeps a decision's messages within maxDeliveries; SES would accept 50
// in one message.
const maxRecipients = 30

var channels = []string{ChannelSlackWebhook, ChannelSlackBot, ChannelSES, ChannelPagerDuty, ChannelWebhook}

// Channels returns the kinds of channels that a destination may have.
func Channels() []string { return slices.Clone(channels) }

// channelFields lists which channels each field belongs to, and whether it is
// required there. Any other channel refuses it.
var channelFields = []struct {
	name     string
	required bool
	channels []string
}{
	{"webhook_url", true, []string{ChannelSlackWebhook}},
	{"token", true, []string{ChannelSlackBot}},
	{"channel_id", true, []string{ChannelSlackBot}},
	{"from", true, []string{ChannelSES}},
	{"to", true, []string{ChannelSES}},
	{"routing_key", true, []string{ChannelPagerDuty}},
	{"severity", false, []string{ChannelPagerDuty}},
	{"api_url", false, []string{ChannelSlackBot, ChannelPagerDuty}},
	{"url", true, []string{ChannelWebhook}},
	{"signing_secret", true, []string{ChannelWebhook}},
	// No single resolve would close an alert that stands for many incidents.
	{"digest_over", false, []string{ChannelSlackWebhook, ChannelSlackBot, ChannelSES, ChannelWebhook}},
	{"on_ambiguous", false, []string{ChannelSlackWebhook, ChannelSlackBot, ChannelSES}},
}

// severities are the severities of PagerDuty's events ("PD-CEF").
var severities = []string{"critical", "error", "warning", "info"}

// apiURLs are the addresses of services unless api_url sets another.
var apiURLs = map[string]string{
	ChannelSlackBot:  "https://slack.com/api",
	ChannelPagerDuty: "https://events.pagerduty.com",
}

// Slack accepts about one message a second for each webhook and channel ("Rate
// limits", Slack's developer documentation). Digests exist only on channels that
// people read: a program needs each message by itself.
var (
	defaultPace       = map[string]time.Duration{ChannelSlackWebhook: time.Second, ChannelSlackBot: time.Second}
	defaultDigestOver = map[string]int{ChannelSlackWebhook: 5, ChannelSlackBot: 5, ChannelSES: 5}
)

func (f *named) destination() Destination {
	d := Destination{ID: f.id, Channel: f.requiredChoice("channel", channels, "write one of "+strings.Join(channels, ", "))}
	d.WebhookURL = f.secret("webhook_url")
	d.From = f.from()
	d.To = f.to()
	d.Token = f.secret("token")
	d.ChannelID = f.channelID()
	d.RoutingKey = f.secret("routing_key")
	d.Severity = f.choice("severity", "", severities)
	d.URL = f.address("url")
	d.APIURL = strings.TrimSuffix(f.address("api_url"), "/")
	d.SigningSecret = f.secret("signing_secret")
	d.OnAmbiguous = f.onAmbiguous()
	if d.APIURL == "" {
		d.APIURL = apiURLs[d.Channel]
	}
	if d.Channel == ChannelPagerDuty && d.Severity == "" {
		d.Severity = "error"
	}
	d.Fallback = f.text("fallback")
	d.Pace = f.durationOr(none, "pace", defaultPace[d.Channel], 10*time.Millisecond, time.Hour)
	d.DigestOver = f.countOr(never, "digest_over", defaultDigestOver[d.Channel], 1, 1000)
	f.channelFields(d.Channel)
	f.end()
	return d
}

// channelFields refuses the fields of other channels and requires those of its own.
func (f *named) channelFields(channel string) {
	if channel == "" {
		return
	}
	for _, x := range channelFields {
		at, given := f.given(x.name)
		belongs := slices.Contains(x.channels, channel)
		switch {
		case given && !belongs && x.name == "on_ambiguous":
			f.r.fail(at, join(f.path, x.name), "is of no use for channel "+channel, "remove it; a repeat does no harm there, so a message that may have arrived is sent again")
		case given && !belongs:
			f.r.fail(at, join(f.path, x.name), "does not belong to channel "+channel, "remove it; it is for channel "+strings.Join(x.channels, " and "))
		case x.required && belongs && f.node.empty(x.name):
			f.missing(x.name, "channel "+channel+" needs it")
		}
	}
}

// empty reports whether a field is absent or has an empty value.
func (n *node) empty(name string) bool {
	v := n.find(name)
	return v == nil || v.kind == nullNode || (v.kind == scalarNode && strings.TrimSpace(v.text) == "") ||
		(v.kind == listNode && len(v.items) == 0)
}

// secret returns a reference to a secret. It refuses a literal secret without
// repeating it: the file is in a repository and the message in a log.
func (f *fields) secret(name string) string {
	v := f.text(name)
	if v != "" && !IsReference(v) {
		f.fail(name, "is not a reference to a secret", "write where the secret is ("+secretForms+"); if this is the secret itself, replace it: it has been in a file")
	}
	return v
}

func (f *fields) from() string {
	v := f.text("from")
	if v != "" && !isMail(v) {
		f.fail("from", "is not a mail address", "write name@example.com, an address that SES may send from")
	}
	return v
}

func (f *fields) to() []string {
	var to []string
	seen := map[string]bool{}
	for _, e := range f.texts("to") {
		id := RecipientID("", e.text)
		switch {
		case !isMail(e.text):
			e.fail("is not a mail address", "write name@example.com")
		case seen[id]:
			e.fail("this address is listed twice", "keep one of them; capitals and a name beside it make it no other")
			continue
		}
		seen[id] = true
		to = append(to, e.text)
	}
	if len(to) > maxRecipients {
		f.fail("to", fmt.Sprintf("more than %d recipients", maxRecipients), "use a mailing list; each recipient is sent a message of its own")
	}
	return to
}

// isMail reports a mail address with or without a display name. SES accepts ASCII
// addresses only.
func isMail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && len(a.Address) <= 254 && !strings.ContainsFunc(a.Address, func(r rune) bool { return r <= ' ' || r > '~' })
}

var (
	actions     = words(incident.Open, incident.Remind, incident.Resolve)
	ambiguities = words(delivery.Resend, delivery.Hold)
)

func (f *fields) onAmbiguous() map[incident.Action]delivery.Ambiguity {
	c := f.child("on_ambiguous")
	var m map[incident.Action]delivery.Ambiguity
	for _, a := range actions {
		if v := c.choice(a, "", ambiguities); v != "" {
			if m == nil {
				m = map[incident.Action]delivery.Ambiguity{}
			}
			m[incident.Action(a)] = delivery.Ambiguity(v)
		}
	}
	c.end()
	return m
}

// fallbacks checks, once all destinations are read, that each fallback is another
// existing destination. Two may be each other's: a fallback's own failures go no
// further.
func (b *builder) fallbacks(all []*named) {
	for _, f := range all {
		to := b.cfg.Destinations[f.id].Fallback
		if to == "" {
			continue
		}
		if d, known := b.cfg.Destinations[to]; !known || d.Group != "" {
			f.fail("fallback", show(to)+" is not a destination", didYouMean(to, b.cfg.Written()))
		}
		if to == f.id {
			f.fail("fallback", "is the destination itself", "name one that does not fail together with it")
		}
		b.used["destinations."+to] = true
	}
}
