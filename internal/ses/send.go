package ses

import (
	"context"
	"encoding/json"
	"mime"
	netmail "net/mail"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"

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

// API is what this package needs of the SDK's client.
type API interface {
	SendEmail(context.Context, *sesv2.SendEmailInput, ...func(*sesv2.Options)) (*sesv2.SendEmailOutput, error)
}

// Sender sends rendered mails. It tries once: SendEmail has no idempotency
// token, so the SDK's own retries would send a mail twice that nobody knows of.
type Sender struct {
	// ConfigurationSet, when not empty, is named with each mail; SES reports on
	// mails by it.
	ConfigurationSet string

	api API
	now func() time.Time
}

// NewSender returns a Sender over the SDK's client. now is asked only to read a
// Retry-After that is a date.
func NewSender(api API, now func() time.Time) *Sender { return &Sender{api: api, now: now} }

// Send sends one frozen mail and says what became of it. A single bad address
// fails the whole message, and the outcome is then that of all of them. No
// address is in the outcome.
func (s *Sender) Send(ctx context.Context, payload []byte, from string, to []string, deliveryID string) delivery.Outcome {
	input, code := compose(payload, from, to, deliveryID)
	if code != "" {
		return delivery.Outcome{Class: delivery.Permanent, Code: code}
	}
	if s.ConfigurationSet != "" {
		input.ConfigurationSetName = aws.String(s.ConfigurationSet)
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	ctx, out := wire.Watch(ctx)
	sent, err := s.api.SendEmail(ctx, input, func(o *sesv2.Options) { o.Retryer = aws.NopRetryer{} })
	if err != nil {
		return outcome(err, out, s.now())
	}
	return delivery.Outcome{Class: delivery.Accepted, Status: 200, ProviderID: aws.ToString(sent.MessageId)}
}

// compose builds the request, or names what is wrong with its parts.
func compose(payload []byte, from string, to []string, deliveryID string) (*sesv2.SendEmailInput, string) {
	var m mail
	if err := json.Unmarshal(payload, &m); err != nil || m.Subject == "" {
		return nil, "bad_payload"
	}
	sender, err := netmail.ParseAddress(from)
	switch {
	case err != nil:
		return nil, "bad_from_address"
	case len(to) == 0:
		return nil, "no_recipient"
	case len(to) > maxRecipients:
		return nil, "too_many_recipients"
	}
	root := "<" + m.Thread + "@" + domainOf(sender.Address) + ">"
	return &sesv2.SendEmailInput{
		FromEmailAddress: aws.String(sender.String()),
		Destination:      &types.Destination{ToAddresses: to},
		EmailTags:        []types.MessageTag{{Name: aws.String(tagDelivery), Value: aws.String(tagValue(deliveryID))}},
		Content: &types.EmailContent{Simple: &types.Message{
			// SES takes 7-bit subjects, others as encoded words (RFC 2047).
			Subject: content(mime.QEncoding.Encode("utf-8", m.Subject)),
			Body:    &types.Body{Text: content(m.Text), Html: content(m.HTML)},
			Headers: []types.MessageHeader{
				header("References", root),
				header("In-Reply-To", root),
				// No out-of-office reply is wanted (RFC 3834, section 5).
				header("Auto-Submitted", "auto-generated"),
				header("X-Ringonce-Delivery-Id", tagValue(deliveryID)),
			},
		}},
	}, ""
}

// domainOf is the domain of the sender, in which the thread's id is invented.
func domainOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

func content(s string) *types.Content {
	return &types.Content{Data: aws.String(s), Charset: aws.String("UTF-8")}
}

func header(name, value string) types.MessageHeader {
	return types.MessageHeader{Name: aws.String(name), Value: aws.String(value)}
}

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
