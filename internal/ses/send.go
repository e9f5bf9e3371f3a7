package ses

import (
	"context"
	"encoding/json"
	"mime"
	netmail "net/mail"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// Timeout bounds one send, credentials included. It is generous, because giving up on
// a slow answer makes the outcome of a good delivery unknown.
const Timeout = 20 * time.Second

// maxRecipients is SES's limit for one message ("Service quotas in Amazon SES").
const maxRecipients = 50

// tagDelivery is the message tag in which SES's events carry the delivery id.
const tagDelivery = "ringonce-delivery-id"

// Letter is one mail as it is passed to SES.
type Letter struct {
	From string
	To   []string
	// Subject is 7-bit; other characters are in encoded words.
	Subject, Text, HTML string
	Headers             []Header
	// Tags come back in SES's events about the mail.
	Tags             []Header
	ConfigurationSet string
}

// Header is a header field or a tag of a letter.
type Header struct{ Name, Value string }

// API sends one letter through SES, once: SendEmail has no idempotency token, so a
// retry by the SDK could send a mail twice without anybody knowing. It returns SES's
// id of the mail, and the SDK's errors. Package api implements it apart from this
// package: the SDK's client adds several milliseconds to the start of each function
// that links it, and most functions only render mails, or read SES's events.
type API interface {
	SendEmail(context.Context, Letter) (id string, err error)
}

// Sender sends rendered mails. It tries once; the ledger does the retries.
type Sender struct {
	// ConfigurationSet, if not empty, is sent with each mail; SES reports on mails by
	// it.
	ConfigurationSet string

	api API
	now func() time.Time
}

// NewSender returns a Sender over SES. now is called only to read a Retry-After that
// is a date.
func NewSender(api API, now func() time.Time) *Sender { return &Sender{api: api, now: now} }

// Send sends one frozen mail and returns the outcome. A single bad address fails the
// whole message, and the outcome then applies to all of them. The outcome holds no
// address.
func (s *Sender) Send(ctx context.Context, payload []byte, from string, to []string, deliveryID string) delivery.Outcome {
	letter, code := compose(payload, from, to, deliveryID)
	if code != "" {
		return delivery.Outcome{Class: delivery.Permanent, Code: code}
	}
	letter.ConfigurationSet = s.ConfigurationSet
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	ctx, out := wire.Watch(ctx)
	sent, err := s.api.SendEmail(ctx, letter)
	if err != nil {
		return outcome(err, out, s.now())
	}
	return delivery.Outcome{Class: delivery.Accepted, Status: 200, ProviderID: sent}
}

// compose builds the letter, or returns what is wrong with its parts.
func compose(payload []byte, from string, to []string, deliveryID string) (Letter, string) {
	var m mail
	if err := json.Unmarshal(payload, &m); err != nil || m.Subject == "" {
		return Letter{}, "bad_payload"
	}
	sender, err := netmail.ParseAddress(from)
	switch {
	case err != nil:
		return Letter{}, "bad_from_address"
	case len(to) == 0:
		return Letter{}, "no_recipient"
	case len(to) > maxRecipients:
		return Letter{}, "too_many_recipients"
	}
	root := "<" + m.Thread + "@" + domainOf(sender.Address) + ">"
	return Letter{
		From: sender.String(), To: recipients(to),
		Tags: []Header{{tagDelivery, tagValue(deliveryID)}},
		// SES accepts 7-bit subjects only, others as encoded words (RFC 2047).
		Subject: mime.QEncoding.Encode("utf-8", m.Subject), Text: m.Text, HTML: m.HTML,
		Headers: []Header{
			{"References", root},
			{"In-Reply-To", root},
			// Suppresses out-of-office replies (RFC 3834, section 5).
			{"Auto-Submitted", "auto-generated"},
			{"X-Ringonce-Delivery-Id", tagValue(deliveryID)},
		},
	}, ""
}

// recipients encodes names beyond ASCII as encoded words, as is done for the sender:
// SES accepts no others ("Destination" in the API reference). An address without a
// name is unchanged.
func recipients(to []string) []string {
	all := make([]string, len(to))
	for i, r := range to {
		all[i] = r
		if a, err := netmail.ParseAddress(r); err == nil && a.Name != "" {
			all[i] = a.String()
		}
	}
	return all
}

// domainOf returns the sender's domain, which the thread's id uses.
func domainOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// tagValue keeps only what SES allows in a tag: ASCII letters, digits, "_" and "-",
// at most 256 of them.
func tagValue(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || (r >= '0' && r <= '9') || (r|0x20 >= 'a' && r|0x20 <= 'z') {
			return r
		}
		return '_'
	}, s)
	return s[:min(len(s), 256)]
}
