package slack

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/ringonce/ringonce/internal/delivery"
)

// call calls a method, with a JSON body or with form values.
func (b *Bot) call(ctx context.Context, to BotTo, method string, body []byte) (answerBody, delivery.Outcome) {
	return b.ask(ctx, to, method, "application/json; charset=utf-8", body)
}

func (b *Bot) list(ctx context.Context, to BotTo, method string, values url.Values) (answerBody, delivery.Outcome) {
	return b.ask(ctx, to, method, "application/x-www-form-urlencoded", []byte(values.Encode()))
}

func (b *Bot) ask(ctx context.Context, to BotTo, method, kind string, body []byte) (answerBody, delivery.Outcome) {
	answer, o, ok := b.client.Post(ctx, to.APIURL+"/"+method, http.Header{
		"Content-Type": {kind}, "Authorization": {"Bearer " + strings.TrimSpace(to.Token)},
	}, body)
	if !ok {
		return answerBody{}, o
	}
	return botOutcome(answer, b.now())
}
