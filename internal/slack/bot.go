package slack

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

const (
	// botTimeout bounds one request; Slack sometimes takes three seconds and more.
	botTimeout = 8 * time.Second
	// preparing bounds everything before the post of the message itself.
	preparing = 8 * time.Second
)

// BotTimeout is how long a send may take in all: its preparation, the post, and a
// second post if the thread is gone.
const BotTimeout = preparing + 2*botTimeout

// Bot posts rendered messages as a bot. Each send posts at most one message; the
// ledger does the retries.
type Bot struct {
	client wire.Client
	now    func() time.Time
}

// NewBot returns a Bot over a transport; nil is http.DefaultTransport. now is called
// only to read a Retry-After that is a date.
func NewBot(transport http.RoundTripper, now func() time.Time) *Bot {
	return &Bot{client: wire.NewClient(transport, botTimeout), now: now}
}

// BotTo is the channel that a message is sent to.
type BotTo struct {
	// APIURL is the Web API's address, such as https://slack.com/api.
	APIURL string
	// Token is the bot's, a secret.
	Token   string
	Channel string
}

// Context is what the ledger knows about a message's episode and earlier sends.
type Context struct {
	DeliveryID string
	// First is the first message of the episode, whose delivery had the id FirstID;
	// zero if there is none to reply to.
	First   Ref
	FirstID string
	// Since, if not zero, is when an earlier send of the same message began that may
	// have arrived.
	Since time.Time
}

// in drops a first message that is in another channel: the destination has moved
// since.
func (c Context) in(channel string) Context {
	if c.First.Channel != channel {
		c.First = Ref{}
	}
	return c
}

// Send posts one message and returns the outcome. It first looks for a message that
// may have arrived before, if the token may read the channel. A message that follows
// the first one of an episode updates that one and then replies in its thread; if the
// first message has been deleted, it is posted on its own.
//
// The update comes before the post because repeating it does no harm. If it fails for
// now, nothing has been posted, and the outcome is temporary.
func (b *Bot) Send(ctx context.Context, frozen []byte, to BotTo, c Context) delivery.Outcome {
	var m botMessage
	switch err := json.Unmarshal(frozen, &m); {
	case err != nil || m.Text == "":
		return delivery.Outcome{Class: delivery.Permanent, Code: "bad_payload"}
	case strings.TrimSpace(to.Token) == "":
		return delivery.Misconfiguration(0, "no_token")
	}
	c = c.in(to.Channel)
	m.Channel, m.ThreadTS = to.Channel, c.First.TS
	prepare, cancel := context.WithTimeout(ctx, preparing)
	defer cancel()
	if o, done := b.prepare(prepare, &m, to, c); done {
		return o
	}
	o := b.post(ctx, m, to)
	if m.ThreadTS != "" && threadGone(o.Code) {
		m.ThreadTS = ""
		o = b.post(ctx, m, to)
	}
	return o
}

// prepare does what comes before the post. It reports whether the send is done, or
// cannot go on now.
func (b *Bot) prepare(ctx context.Context, m *botMessage, to BotTo, c Context) (delivery.Outcome, bool) {
	if !c.Since.IsZero() {
		if o, done := b.look(ctx, to, c); done {
			return o, true
		}
	}
	if m.ThreadTS == "" {
		return delivery.Outcome{}, false
	}
	_, o := b.call(ctx, to, "chat.update", wire.JSON(update{
		Channel: to.Channel, TS: c.First.TS, Text: m.Text, Blocks: m.Blocks, Parse: m.Parse, Metadata: marked(c.FirstID),
	}))
	switch o.Class {
	case delivery.Temporary, delivery.Ambiguous, delivery.RateLimited:
		return notNow(o), true
	}
	if threadGone(o.Code) {
		m.ThreadTS = ""
	}
	return o, false
}

// notNow returns the outcome of a send that ended before its message was posted:
// however the request ended, the message has not been sent.
func notNow(o delivery.Outcome) delivery.Outcome {
	if o.Class == delivery.Ambiguous {
		o.Class = delivery.Temporary
	}
	return o
}

// threadGone reports whether an error means that there is no message to update or to
// reply to.
func threadGone(code string) bool {
	switch code {
	case "message_not_found", "thread_not_found", "cannot_reply_to_message", "restricted_action_thread_locked":
		return true
	default:
		return false
	}
}

func (b *Bot) post(ctx context.Context, m botMessage, to BotTo) delivery.Outcome {
	body, o := b.call(ctx, to, "chat.postMessage", wire.JSON(m))
	if o.Class != delivery.Accepted {
		return o
	}
	posted := Ref{Channel: body.Channel, TS: body.TS}
	if !posted.valid() {
		return delivery.Outcome{Class: delivery.Ambiguous, Status: o.Status, Code: "unexpected_answer"}
	}
	o.ProviderID = posted.String()
	return o
}
