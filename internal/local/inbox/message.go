package inbox

import (
	"regexp"
	"time"
)

// The channels of messages, as the configuration spells them.
const (
	Slack     = "slack_webhook"
	SlackBot  = "slack_bot"
	Mail      = "ses"
	PagerDuty = "pagerduty"
	Webhook   = "webhook"
)

// Message is one accepted message.
type Message struct {
	// Seq is its position in the order of arrival, from 1.
	Seq     int
	At      time.Time
	Channel string
	// Target is the name of the webhook, or the first recipient.
	Target string
	// DeliveryID is the id found in the message; empty if there is none.
	DeliveryID string
	// Body is the request's body, byte for byte.
	Body []byte

	// Post is what Slack would show, Letter what SES would send.
	Post   *Post
	Letter *Letter
	// Note is what the program behind any other channel would show.
	Note *Note
}

// Note is a message as lines.
type Note struct {
	Headline string
	Lines    []Line
}

// Post is a Slack message as Slack would show it.
type Post struct {
	// Fallback is the text of notifications, read as Slack reads it.
	Fallback string
	// Shown are the lines of the blocks.
	Shown []Line
	// Links and Mentions are what a reader could click and who would be notified,
	// anywhere in the message.
	Links    []Link
	Mentions []string
}

// Line is one line of a Slack message.
type Line struct {
	// Style is header, text, bold or small.
	Style string
	Text  string
}

// Link is a link in a Slack message.
type Link struct {
	URL   string
	Label string
}

// Letter is a mail as its recipients would receive it.
type Letter struct {
	ID      string
	From    string
	To      []string
	Subject string
	Text    string
	HTML    string
	Headers map[string]string
	Tags    map[string]string
}

var deliveryID = regexp.MustCompile(`\bd1-[0-9a-f]{20}\b`)

// lastID finds the last delivery id in a text: ours is at the end of a message, after
// any that a vendor quotes.
func lastID(text string) string {
	ids := deliveryID.FindAllString(text, -1)
	if len(ids) == 0 {
		return ""
	}
	return ids[len(ids)-1]
}
