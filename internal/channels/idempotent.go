package channels

import (
	"context"
	"log/slog"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/pagerduty"
	"github.com/ringonce/ringonce/internal/webhook"
)

// PagerDuty sends to a destination's integration.
type PagerDuty struct {
	Sender  *pagerduty.Sender
	Secrets Secrets
	Log     *slog.Logger
}

// Send resolves the routing key and sends the frozen event.
func (p PagerDuty) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	return with(ctx, p.Secrets, p.Log, to, func(v []string) delivery.Outcome {
		return p.Sender.Send(ctx, d.Payload, pagerduty.To{APIURL: v[0], RoutingKey: v[1], Severity: to.Severity})
	}, to.APIURL, to.RoutingKey)
}

// Webhook sends to a destination's receiver.
type Webhook struct {
	Sender  *webhook.Sender
	Secrets Secrets
	Log     *slog.Logger
}

// Send resolves the receiver's address and secret and posts the frozen
// document.
func (h Webhook) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	return with(ctx, h.Secrets, h.Log, to, func(v []string) delivery.Outcome {
		return h.Sender.Send(ctx, d.Payload, webhook.To{URL: v[0], SigningSecrets: v[1]}, d.ID)
	}, to.URL, to.SigningSecret)
}
