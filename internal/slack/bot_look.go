package slack

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

const (
	// lookPages and lookPage bound how much of a channel is searched.
	lookPages = 3
	lookPage  = 200
	// clockSkew is the most that Slack's clock may differ from ours.
	clockSkew = 2 * time.Minute
)

// Look searches for a message that may have arrived, and posts nothing. It reports
// whether it has the outcome, or cannot get it now; if it may not read the channel,
// the outcome says why.
func (b *Bot) Look(ctx context.Context, to BotTo, c Context) (delivery.Outcome, bool) {
	ctx, cancel := context.WithTimeout(ctx, preparing)
	defer cancel()
	return b.look(ctx, to, c.in(to.Channel))
}

// look searches for a message that may have arrived, by the delivery id in its
// metadata. A message that is found has been accepted. If it is not there, or if the
// token may not read the channel, which the outcome then says, the send goes on. If
// Slack does not answer, the next try looks again: nothing has been sent.
func (b *Bot) look(ctx context.Context, to BotTo, c Context) (delivery.Outcome, bool) {
	methods := []string{"conversations.history"}
	if c.First != (Ref{}) {
		// If the thread is gone, the message may have been posted outside it.
		methods = []string{"conversations.replies", "conversations.history"}
	}
	var refused delivery.Outcome
	for _, method := range methods {
		o, done := b.lookIn(ctx, method, to, c)
		if done {
			return o, true
		}
		refused = cmp.Or(refused, o)
	}
	return refused, false
}

func (b *Bot) lookIn(ctx context.Context, method string, to BotTo, c Context) (delivery.Outcome, bool) {
	q := url.Values{
		"channel": {to.Channel}, "limit": {strconv.Itoa(lookPage)}, "include_all_metadata": {"true"},
		"oldest": {fmt.Sprintf("%d.000000", c.Since.Add(-clockSkew).Unix())},
	}
	if method == "conversations.replies" {
		q.Set("ts", c.First.TS)
	}
	for range lookPages {
		body, o := b.list(ctx, to, method, q)
		switch o.Class {
		case delivery.Accepted:
		case delivery.Permanent:
			return o, false
		default:
			return notNow(o), true
		}
		for _, m := range body.Messages {
			found := Ref{Channel: to.Channel, TS: m.TS}
			if m.Metadata == marked(c.DeliveryID) && found.valid() {
				return delivery.Outcome{Class: delivery.Accepted, Status: o.Status, Code: "found", ProviderID: found.String()}, true
			}
		}
		if !body.HasMore || body.Response.NextCursor == "" {
			break
		}
		q.Set("cursor", body.Response.NextCursor)
	}
	return delivery.Outcome{}, false
}
