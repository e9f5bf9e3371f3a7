package slack

import "github.com/ringonce/ringonce/internal/notice"

// message is the body of an incoming webhook call.
type message struct {
	// Text is shown in notifications and wherever blocks are not.
	Text   string  `json:"text"`
	Blocks []block `json:"blocks"`
	// The flags switch off Slack's processing of the fallback text: formatting,
	// links, names, and previews of linked pages.
	Mrkdwn      bool   `json:"mrkdwn"`
	Parse       string `json:"parse"`
	LinkNames   bool   `json:"link_names"`
	UnfurlLinks bool   `json:"unfurl_links"`
	UnfurlMedia bool   `json:"unfurl_media"`
}

// block is a header, section or context block; each uses its own fields.
type block struct {
	Type     string `json:"type"`
	Text     *text  `json:"text,omitempty"`
	Fields   []text `json:"fields,omitempty"`
	Elements []text `json:"elements,omitempty"`
}

func header(t text) block                 { return block{Type: "header", Text: &t} }
func section(t text) block                { return block{Type: "section", Text: &t} }
func contextBlock(elements ...text) block { return block{Type: "context", Elements: elements} }
func fieldSection(fields []text) block    { return block{Type: "section", Fields: fields} }

// factsPerSection keeps a section at ten fields, Slack's limit: a fact takes two, its
// label and its value, which are shown side by side.
const factsPerSection = 5

func factSections(facts []notice.Fact) []block {
	var blocks []block
	for len(facts) > 0 {
		n := min(len(facts), factsPerSection)
		var fields []text
		for _, f := range facts[:n] {
			fields = append(fields, markup(bold(f.Label)), plain(escaped.Clip(f.Value, 1, maxFact)))
		}
		blocks, facts = append(blocks, fieldSection(fields)), facts[n:]
	}
	return blocks
}
