package slack

import (
	"regexp"
	"strings"
	"sync"

	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/wire"
)

// eventType is the name of Ringonce's metadata in Slack's messages.
const eventType = "ringonce_delivery"

// botMessage is the body of chat.postMessage. The channel and the thread come from
// the configuration and the ledger at each send and are not frozen.
type botMessage struct {
	Channel  string `json:"channel,omitempty"`
	ThreadTS string `json:"thread_ts,omitempty"`
	message
	Metadata metadata `json:"metadata"`
}

// update is the body of chat.update, which has fewer fields.
type update struct {
	Channel  string   `json:"channel"`
	TS       string   `json:"ts"`
	Text     string   `json:"text"`
	Blocks   []block  `json:"blocks"`
	Parse    string   `json:"parse"`
	Metadata metadata `json:"metadata"`
}

// metadata is the part of a message that programs can read and people do not see.
type metadata struct {
	Type    string          `json:"event_type"`
	Payload metadataPayload `json:"event_payload"`
}

type metadataPayload struct {
	DeliveryID string `json:"delivery_id"`
}

func marked(deliveryID string) metadata {
	return metadata{Type: eventType, Payload: metadataPayload{DeliveryID: deliveryID}}
}

// RenderBot turns a notice into the frozen part of a bot's message. Equal
// notices give equal bytes.
func RenderBot(n notice.Notice) []byte {
	return wire.JSON(botMessage{message: compose(n), Metadata: marked(n.DeliveryID)})
}

// Ref identifies a message in Slack; the zero Ref identifies none.
type Ref struct {
	Channel string
	TS      string
}

var (
	channelForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[CGD][A-Z0-9]{1,20}$`) })
	tsForm      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{1,12}\.[0-9]{1,9}$`) })
)

func (r Ref) valid() bool { return channelForm().MatchString(r.Channel) && tsForm().MatchString(r.TS) }

// String returns the form in which the ledger stores a Ref.
func (r Ref) String() string { return r.Channel + ":" + r.TS }

// ParseRef parses what String returns; anything else is the zero Ref.
func ParseRef(s string) Ref {
	channel, ts, _ := strings.Cut(s, ":")
	if r := (Ref{Channel: channel, TS: ts}); r.valid() {
		return r
	}
	return Ref{}
}
