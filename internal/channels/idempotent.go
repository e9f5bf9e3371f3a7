package channels

import (
	"context"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/pagerduty"
	"github.com/ringonce/ringonce/internal/webhook"
)

// PagerDuty sends to the integration that a destination refers to.
type PagerDuty struct {
	Sender  *pagerduty.Sender
	Secrets Secrets
}

// Send resolves the routing key and sends the frozen event.
func (p PagerDuty) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	v, o, ok := resolved(ctx, p.Secrets, to.APIURL, to.RoutingKey)
	if !ok {
		return o
	}
	o = p.Sender.Send(ctx, d.Payload, pagerduty.To{APIURL: v[0], RoutingKey: v[1], Severity: to.Severity})
	return doubt(ctx, p.Secrets, o, v, to.APIURL, to.RoutingKey)
}

// Webhook sends to the receiver that a destination refers to.
type Webhook struct {
	Sender  *webhook.Sender
	Secrets Secrets
}

// Send resolves the receiver's address and secret and posts the frozen
// document.
func (h Webhook) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	v, o, ok := resolved(ctx, h.Secrets, to.URL, to.SigningSecret)
	if !ok {
		return o
	}
	o = h.Sender.Send(ctx, d.Payload, webhook.To{URL: v[0], SigningSecrets: v[1]}, d.ID)
	return doubt(ctx, h.Secrets, o, v, to.URL, to.SigningSecret)
}
