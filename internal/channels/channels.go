// Package channels connects the channel adapters with the secrets and addresses in
// the configuration, for the functions that render or send.
package channels

import (
	"context"
	"log/slog"
	"time"

	"github.com/ringonce/ringonce/internal/channels/render"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/ses"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/slack"
)

// Render freezes a notice into the bytes that a channel sends.
func Render(channel string, n notice.Notice) ([]byte, error) { return render.Notice(channel, n) }

// Secrets resolves references in the configuration.
type Secrets interface {
	Resolve(ctx context.Context, ref string) (string, error)
	Invalidate(ref string)
}

// SlackWebhook sends to a destination's webhook.
type SlackWebhook struct {
	Sender  *slack.Sender
	Secrets Secrets
	// Log receives why a secret cannot be read, by its reference; nil is
	// slog.Default(). All channels log so.
	Log *slog.Logger
}

// Send resolves the webhook's URL and posts the frozen payload.
func (s SlackWebhook) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	return with(ctx, s.Secrets, s.Log, to, func(v []string) delivery.Outcome {
		return s.Sender.Send(ctx, d.Payload, v[0])
	}, to.WebhookURL)
}

// Mail sends through SES to the addresses that a destination lists.
type Mail struct {
	Sender *ses.Sender
	// Taken, if set, is called with the time at which the send began of each mail
	// that SES has accepted.
	Taken func(ctx context.Context, begun time.Time)
}

// Send mails the frozen payload.
func (m Mail) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	begun := setup.Now()
	o := m.Sender.Send(ctx, d.Payload, to.From, to.To, d.ID)
	if m.Taken != nil && o.Class == delivery.Accepted {
		m.Taken(ctx, begun)
	}
	return o
}
