package slack

import (
	"strings"

	"github.com/ringonce/ringonce/internal/notice"
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escape takes their meaning from the three characters that Slack reads in any
// text object. Slack turns them back for display and does not read them again.
func escape(s string) string { return escaper.Replace(s) }

// escaped counts text as it will be after escape. Whether Slack counts before
// or after is not documented; counting after is the safe guess.
var escaped notice.Cost = func(r rune) int {
	switch r {
	case '&':
		return len("&amp;")
	case '<', '>':
		return len("&lt;")
	default:
		return notice.Plain(r)
	}
}

// text is Slack's text object. A pointer tells an absent flag from false.
type text struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Emoji    *bool  `json:"emoji,omitempty"`
	Verbatim *bool  `json:"verbatim,omitempty"`
}

var on, off = true, false

// plain is foreign text: Slack reads no formatting, link or mention in
// plain_text, and with emoji off :tada: stays as it is.
func plain(s string) text { return text{Type: "plain_text", Text: escape(s), Emoji: &off} }

// ours is text that only this program chose; its emoji are shown.
func ours(s string) text { return text{Type: "plain_text", Text: escape(s), Emoji: &on} }

// markup is markup that this package built from escaped pieces. verbatim keeps
// Slack from finding links, channels and people in it by itself.
func markup(s string) text { return text{Type: "mrkdwn", Text: s, Verbatim: &on} }

func bold(s string) string { return "*" + escape(s) + "*" }

// link is a link in Slack's markup; url is already safe for it but for "&".
func link(url, label string) string {
	if url == label {
		return "<" + escape(url) + ">"
	}
	return "<" + escape(url) + "|" + escape(label) + ">"
}
