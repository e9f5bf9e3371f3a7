// Package api sends letters to SES through the SDK's client. It is separate from the
// rest of the mail code because of the client's size; see ses.API.
package api

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"

	"github.com/ringonce/ringonce/internal/ses"
)

// Client is SES's API, version 2.
type Client struct{ client *sesv2.Client }

// New returns a Client over the SDK's.
func New(client *sesv2.Client) Client { return Client{client} }

// SendEmail sends one letter, without retries.
func (c Client) SendEmail(ctx context.Context, l ses.Letter) (id string, err error) {
	sent, err := c.client.SendEmail(ctx, request(l), func(o *sesv2.Options) { o.Retryer = aws.NopRetryer{} })
	if err != nil {
		return "", err
	}
	return aws.ToString(sent.MessageId), nil
}

func request(l ses.Letter) *sesv2.SendEmailInput {
	in := &sesv2.SendEmailInput{
		FromEmailAddress: aws.String(l.From),
		Destination:      &types.Destination{ToAddresses: l.To},
		Content: &types.EmailContent{Simple: &types.Message{
			Subject: content(l.Subject),
			Body:    &types.Body{Text: content(l.Text), Html: content(l.HTML)},
		}},
	}
	for _, t := range l.Tags {
		in.EmailTags = append(in.EmailTags, types.MessageTag{Name: aws.String(t.Name), Value: aws.String(t.Value)})
	}
	for _, h := range l.Headers {
		in.Content.Simple.Headers = append(in.Content.Simple.Headers, types.MessageHeader{Name: aws.String(h.Name), Value: aws.String(h.Value)})
	}
	if l.ConfigurationSet != "" {
		in.ConfigurationSetName = aws.String(l.ConfigurationSet)
	}
	return in
}

func content(s string) *types.Content {
	return &types.Content{Data: aws.String(s), Charset: aws.String("UTF-8")}
}
