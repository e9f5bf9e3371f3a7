package channels

import (
	"context"
	"log/slog"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/slack"
)

// Episodes reads the deliveries of one episode of an incident.
type Episodes interface {
	Episode(ctx context.Context, incidentKey string, episode int) ([]delivery.Delivery, error)
}

// SlackBot posts as a destination's bot.
type SlackBot struct {
	Bot     *slack.Bot
	Secrets Secrets
	Log     *slog.Logger
	// Ledger finds the message that opened the episode.
	Ledger Episodes
}

// Send resolves the token and posts the frozen message, in the thread of the
// episode's first message if there is one.
func (s SlackBot) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	c, err := s.context(ctx, d)
	if err != nil {
		// Without the first message it would be posted outside its thread for good.
		return unread
	}
	return with(ctx, s.Secrets, s.Log, to, func(v []string) delivery.Outcome {
		return s.Bot.Send(ctx, d.Payload, slack.BotTo{APIURL: v[0], Token: v[1], Channel: to.ChannelID}, c)
	}, to.APIURL, to.Token)
}

// Look searches the channel for a message that may have arrived.
func (s SlackBot) Look(ctx context.Context, to config.Destination, d delivery.Delivery) (delivery.Outcome, bool) {
	c, err := s.context(ctx, d)
	if err != nil {
		return unread, true
	}
	known := true
	o := with(ctx, s.Secrets, s.Log, to, func(v []string) (o delivery.Outcome) {
		o, known = s.Bot.Look(ctx, slack.BotTo{APIURL: v[0], Token: v[1], Channel: to.ChannelID}, c)
		return o
	}, to.APIURL, to.Token)
	// A look that was refused because of an outdated secret is repeated.
	return o, known || o.Class == delivery.Temporary
}

// unread is the outcome of a send that waits for the ledger.
var unread = delivery.Outcome{Class: delivery.Temporary, Code: "ledger_unavailable"}

func (s SlackBot) context(ctx context.Context, d delivery.Delivery) (slack.Context, error) {
	c := slack.Context{DeliveryID: d.ID, Since: d.MayHaveArrivedSince()}
	if d.Action == incident.Open {
		return c, nil
	}
	siblings, err := s.Ledger.Episode(ctx, d.IncidentKey, d.Episode)
	if err == nil {
		c.First, c.FirstID = first(d, siblings)
	}
	return c, err
}

// first finds the message that opened the episode at the same destination: its open
// or, if a silence held that back, the message at the silence's end.
func first(d delivery.Delivery, siblings []delivery.Delivery) (slack.Ref, string) {
	for _, s := range siblings {
		opens := s.Action == incident.Open || s.Action == incident.SilenceEnded
		if !opens || s.Sequence >= d.Sequence || s.Destination != d.Destination || s.For != d.For || len(s.Attempts) == 0 {
			continue
		}
		return slack.ParseRef(s.Attempts[len(s.Attempts)-1].ProviderID), s.ID
	}
	return slack.Ref{}, ""
}
