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

// Timeout bounds one send, credentials included. Giving up on a slow answer
// makes a doubtful delivery of a good one, so it is generous.
const Timeout = 20 * time.Second

// maxRecipients is SES's limit for one message ("Service quotas in Amazon SES").
const maxRecipients = 50

// tagDelivery is the message tag that SES's events carry the delivery id in.
const tagDelivery = "ringonce-delivery-id"

// Letter is one mail as SES is handed it.
type Letter struct {
	From string
	To   []string
	// Subject is 7-bit: others are encoded words.
	Subject, Text, HTML string
	Headers             []Header
	// Tags come back in what SES says of the mail.
	Tags             []Header
	ConfigurationSet string
}

// Header is a header field or a tag of a letter.
type Header struct{ Name, Value string }

// API hands one letter to SES, once: SendEmail has no idempotency token, so that
// the SDK's own retries would send a mail twice that nobody knows of. It returns
// SES's id of the mail, and the SDK's errors. Package api has it: the SDK's
// client costs each function that links it several milliseconds at its start,
// and most functions only write mails, or read what SES says of them.
type API interface {
	SendEmail(context.Context, Letter) (id string, err error)
}

// Sender sends rendered mails. It tries once.
type Sender struct {
	// ConfigurationSet, when not empty, is named with each mail; SES reports on
	// mails by it.
	ConfigurationSet string

	api API
	now func() time.Time
}

// NewSender returns a Sender over SES. now is asked only to read a
// Retry-After that is a date.
func NewSender(api API, now func() time.Time) *Sender { return &Sender{api: api, now: now} }

// Send sends one frozen mail and says what became of it. A single bad address
// fails the whole message, and the outcome is then that of all of them. No
// address is in the outcome.
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

// compose builds the letter, or names what is wrong with its parts.
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
		// SES takes 7-bit subjects, others as encoded words (RFC 2047).
		Subject: mime.QEncoding.Encode("utf-8", m.Subject), Text: m.Text, HTML: m.HTML,
		Headers: []Header{
			{"References", root},
			{"In-Reply-To", root},
			// No out-of-office reply is wanted (RFC 3834, section 5).
			{"Auto-Submitted", "auto-generated"},
			{"X-Ringonce-Delivery-Id", tagValue(deliveryID)},
		},
	}, ""
}

// recipients writes names beyond ASCII as encoded words, as the sender's: SES takes
// no others ("Destination" in the API reference). What has no name stays as it is.
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

// domainOf is the domain of the sender, in which the thread's id is invented.
func domainOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// tagValue keeps to what SES allows in a tag: ASCII letters, digits, "_" and
// "-", at most 256 of them.
func tagValue(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || (r >= '0' && r <= '9') || (r|0x20 >= 'a' && r|0x20 <= 'z') {
			return r
		}
		return '_'
	}, s)
	return s[:min(len(s), 256)]
}
