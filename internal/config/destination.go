package config

import (
	"fmt"
	"net/mail"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// The channels.
const (
	ChannelSlackWebhook = "slack_webhook"
	ChannelSES          = "ses"
)

// maxRecipients is SES's limit for one message ("Service quotas in Amazon
// SES").
const maxRecipients = 50

var channels = []string{ChannelSlackWebhook, ChannelSES}

// channelFields says which fields belong to which channel; each is required
// there and refused elsewhere.
var channelFields = map[string][]string{
	ChannelSlackWebhook: {"webhook_url"},
	ChannelSES:          {"from", "to"},
}

// Webhooks of Slack take about one message a second ("Rate limits", Slack's
// developer documentation). Messages are gathered only on channels that people
// read: a machine wants each for itself.
var (
	defaultPace       = map[string]time.Duration{ChannelSlackWebhook: time.Second}
	defaultDigestOver = map[string]int{ChannelSlackWebhook: 5, ChannelSES: 5}
)

func (f *named) destination() Destination {
	d := Destination{ID: f.id, Channel: f.requiredChoice("channel", channels, "write one of "+strings.Join(channels, ", "))}
	d.WebhookURL = f.secret("webhook_url")
	d.From = f.from()
	d.To = f.to()
	d.OnAmbiguous = f.onAmbiguous()
	d.Fallback = f.text("fallback")
	d.Pace = f.durationOr(none, "pace", defaultPace[d.Channel], 10*time.Millisecond, time.Hour)
	d.DigestOver = f.countOr(never, "digest_over", defaultDigestOver[d.Channel], 1, 1000)
	f.channelFields(d.Channel)
	f.end()
	return d
}

// channelFields refuses the fields of other channels and asks for its own.
func (f *named) channelFields(channel string) {
	if channel == "" {
		return
	}
	for _, c := range channels {
		for _, name := range channelFields[c] {
			at, given := f.given(name)
			switch {
			case given && c != channel:
				f.r.fail(at, join(f.path, name), "does not belong to channel "+channel, "remove it; it is for channel "+c)
			case f.node.empty(name) && c == channel:
				f.missing(name, "channel "+channel+" needs it")
			}
		}
	}
}

// empty reports whether a field is absent or has nothing in it.
func (n *node) empty(name string) bool {
	v := n.find(name)
	return v == nil || v.kind == nullNode || (v.kind == scalarNode && strings.TrimSpace(v.text) == "") ||
		(v.kind == listNode && len(v.items) == 0)
}

// secret returns a reference to a secret. A secret itself is refused and not
// repeated: the file is in a repository and the message in a log.
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
	for _, e := range f.texts("to") {
		if !isMail(e.text) {
			e.fail("is not a mail address", "write name@example.com")
		}
		to = append(to, e.text)
	}
	if len(to) > maxRecipients {
		f.fail("to", fmt.Sprintf("more than %d recipients", maxRecipients), "use a mailing list; SES takes no more in one message")
	}
	return to
}

// isMail accepts an address with or without a display name. SES takes ASCII
// addresses only.
func isMail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && len(a.Address) <= 254 && !strings.ContainsFunc(a.Address, func(r rune) bool { return r <= ' ' || r > '~' })
}

var (
	actions     = []string{string(incident.Open), string(incident.Remind), string(incident.Resolve)}
	ambiguities = []string{string(delivery.Resend), string(delivery.Hold)}
)

func (f *fields) onAmbiguous() map[incident.Action]string {
	c := f.child("on_ambiguous")
	var m map[incident.Action]string
	for _, a := range actions {
		if v := c.choice(a, "", ambiguities); v != "" {
			if m == nil {
				m = map[incident.Action]string{}
			}
			m[incident.Action(a)] = v
		}
	}
	c.end()
	return m
}

// fallbacks checks, once all destinations are read, that each names another one
// that there is. Two may be each other's: what a fallback cannot be told goes no
// further.
func (b *builder) fallbacks(all []*named) {
	for _, f := range all {
		to := b.cfg.Destinations[f.id].Fallback
		if to == "" {
			continue
		}
		if _, known := b.cfg.Destinations[to]; !known {
			f.fail("fallback", show(to)+" is not a destination", didYouMean(to, sortedKeys(b.cfg.Destinations)))
		}
		if to == f.id {
			f.fail("fallback", "is the destination itself", "name one that does not fail together with it")
		}
		b.used["destinations."+to] = true
	}
}
