// Package channels joins the channel adapters with the secrets and addresses
// that configuration names, for the functions that render or send.
package channels

import (
	"context"
	"fmt"
	"net/http"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/pagerduty"
	"github.com/ringonce/ringonce/internal/ses"
	"github.com/ringonce/ringonce/internal/slack"
	"github.com/ringonce/ringonce/internal/webhook"
)

// Render freezes a notice into the bytes that a channel sends.
func Render(channel string, n notice.Notice) ([]byte, error) {
	switch channel {
	case config.ChannelSlackWebhook:
		return slack.Render(n), nil
	case config.ChannelSlackBot:
		return slack.RenderBot(n), nil
	case config.ChannelSES:
		return ses.Render(n), nil
	case config.ChannelPagerDuty:
		return pagerduty.Render(n), nil
	case config.ChannelWebhook:
		return webhook.Render(n), nil
	default:
		return nil, fmt.Errorf("there is no channel %q", channel)
	}
}

// Secrets turns a reference in the configuration into its value.
type Secrets interface {
	Resolve(ctx context.Context, ref string) (string, error)
	Invalidate(ref string)
}

// SlackWebhook sends to the webhook that a destination refers to.
type SlackWebhook struct {
	Sender  *slack.Sender
	Secrets Secrets
}

// Send resolves the webhook's URL and posts the frozen payload. A secret that
// cannot be read now may be readable later; one that Slack refuses is read
// again before its next use.
func (s SlackWebhook) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	url, err := s.Secrets.Resolve(ctx, to.WebhookURL)
	if err != nil {
		return delivery.Outcome{Class: delivery.Temporary, Code: "secret_unavailable"}
	}
	o := s.Sender.Send(ctx, d.Payload, url)
	switch o.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		s.Secrets.Invalidate(to.WebhookURL)
	}
	return o
}

// Mail sends through SES to the addresses that a destination lists.
type Mail struct{ Sender *ses.Sender }

// Send mails the frozen payload.
func (m Mail) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	return m.Sender.Send(ctx, d.Payload, to.From, to.To, d.ID)
}
