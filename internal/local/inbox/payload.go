package inbox

import "unicode/utf16"

// Slack's limits, in UTF-16 units ("Text object", "Section block", "Header
// block", "Context block"). maxBlocksText is not documented; messages whose
// blocks hold more are refused (slackapi/bolt-js #2509 and #2867).
const (
	maxFallback   = 40000
	maxBlocks     = 50
	maxBlocksText = 11000
	maxHeader     = 150
	maxText       = 3000
	maxField      = 2000
	maxFields     = 10
	maxElements   = 10
)

// payload is the part of a webhook's body that this inbox understands. It refuses any
// other field, so that a misspelt one is noticed.
type payload struct {
	Text        string  `json:"text"`
	Blocks      []block `json:"blocks"`
	Mrkdwn      *bool   `json:"mrkdwn"`
	Parse       string  `json:"parse"`
	LinkNames   bool    `json:"link_names"`
	UnfurlLinks *bool   `json:"unfurl_links"`
	UnfurlMedia *bool   `json:"unfurl_media"`
}

type block struct {
	Type     string       `json:"type"`
	BlockID  string       `json:"block_id"`
	Text     *textObject  `json:"text"`
	Fields   []textObject `json:"fields"`
	Elements []textObject `json:"elements"`
}

type textObject struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Emoji    *bool  `json:"emoji"`
	Verbatim *bool  `json:"verbatim"`
}

// post checks and reads the payload, or returns Slack's error for it.
func (p payload) post() (*Post, string) {
	switch {
	case p.Text == "" && len(p.Blocks) == 0:
		return nil, "no_text"
	case units(p.Text) > maxFallback:
		return nil, "invalid_payload"
	case len(p.Blocks) > maxBlocks:
		return nil, "invalid_blocks"
	}
	total := 0
	for _, b := range p.Blocks {
		if !b.valid() {
			return nil, "invalid_blocks"
		}
		total += b.size()
	}
	if total > maxBlocksText {
		return nil, "msg_blocks_too_long"
	}
	return p.read(), ""
}

func (b block) valid() bool {
	switch b.Type {
	case "divider":
		return b.Text == nil && b.Fields == nil && b.Elements == nil
	case "header":
		return b.Text != nil && b.Text.Type == "plain_text" && b.Text.valid(maxHeader) && b.Fields == nil && b.Elements == nil
	case "section":
		return (b.Text != nil || len(b.Fields) > 0) && (b.Text == nil || b.Text.valid(maxText)) &&
			len(b.Fields) <= maxFields && allValid(b.Fields, maxField) && b.Elements == nil
	case "context":
		return b.Text == nil && b.Fields == nil && len(b.Elements) >= 1 && len(b.Elements) <= maxElements && allValid(b.Elements, maxText)
	default:
		return false
	}
}

func allValid(texts []textObject, limit int) bool {
	for _, t := range texts {
		if !t.valid(limit) {
			return false
		}
	}
	return true
}

// valid reports whether a text's length and flags are allowed for its type.
func (t textObject) valid(limit int) bool {
	n := units(t.Text)
	if n < 1 || n > limit {
		return false
	}
	switch t.Type {
	case "plain_text":
		return t.Verbatim == nil
	case "mrkdwn":
		return t.Emoji == nil
	default:
		return false
	}
}

func (b block) texts() []textObject {
	var all []textObject
	if b.Text != nil {
		all = append(all, *b.Text)
	}
	return append(append(all, b.Fields...), b.Elements...)
}

func (b block) size() int {
	n := 0
	for _, t := range b.texts() {
		n += units(t.Text)
	}
	return n
}

func units(s string) int { return len(utf16.Encode([]rune(s))) }
