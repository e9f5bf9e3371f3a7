package slack

import (
	"strings"

	"github.com/ringonce/ringonce/internal/notice"
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escape escapes the three characters that have a meaning in every text object. Slack
// unescapes them for display and does not interpret them again.
func escape(s string) string { return escaper.Replace(s) }

// escaped counts text in its escaped form. Slack does not document whether it counts
// before or after escaping; after is the safe assumption.
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

// text is Slack's text object. The pointers distinguish an absent flag from false.
type text struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Emoji    *bool  `json:"emoji,omitempty"`
	Verbatim *bool  `json:"verbatim,omitempty"`
}

var on, off = true, false

// plain returns foreign text: Slack interprets no formatting, link or mention in
// plain_text, and with emoji off it leaves :tada: unchanged.
func plain(s string) text { return text{Type: "plain_text", Text: escape(s), Emoji: &off} }

// ours returns text that only this program chose; its emoji are shown.
func ours(s string) text { return text{Type: "plain_text", Text: escape(s), Emoji: &on} }

// markup returns markup built from escaped pieces. verbatim keeps Slack from finding
// links, channels and people in it.
func markup(s string) text { return text{Type: "mrkdwn", Text: s, Verbatim: &on} }

func bold(s string) string { return "*" + escape(s) + "*" }

// link returns a link in Slack's markup; url needs no escaping except of "&".
func link(url, label string) string {
	if url == label {
		return "<" + escape(url) + ">"
	}
	return "<" + escape(url) + "|" + escape(label) + ">"
}
