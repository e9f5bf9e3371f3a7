package preview

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
)

// post is the part of a webhook call that is shown.
type post struct {
	Blocks []struct {
		Type     string `json:"type"`
		Text     *text  `json:"text"`
		Fields   []text `json:"fields"`
		Elements []text `json:"elements"`
	} `json:"blocks"`
}

type text struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func drawSlack(body []byte) (string, error) {
	var p post
	if err := json.Unmarshal(body, &p); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`<p class="app"><span class="icon">R</span> <strong>Ringonce</strong> <span class="tag">APP</span></p>`)
	for _, block := range p.Blocks {
		b.WriteString(`<div class="` + class(block.Type) + `">`)
		if block.Text != nil {
			b.WriteString(`<div>` + block.Text.html() + `</div>`)
		}
		for _, t := range append(block.Fields, block.Elements...) {
			b.WriteString(`<div>` + t.html() + `</div>`)
		}
		b.WriteString("</div>\n")
	}
	return b.String(), nil
}

func class(kind string) string {
	switch kind {
	case "header", "context":
		return kind
	default:
		return "section"
	}
}

var (
	unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
	link     = regexp.MustCompile(`<(https?://[^|>]+)(?:\|([^>]*))?>`)
	bold     = regexp.MustCompile(`\*([^*\n]+)\*`)
)

// html renders a text as Slack does: markup only if its type is mrkdwn.
func (t text) html() string {
	if t.Type != "mrkdwn" {
		return show(t.Text)
	}
	var b strings.Builder
	rest := t.Text
	for {
		at := link.FindStringSubmatchIndex(rest)
		if at == nil {
			b.WriteString(bold.ReplaceAllString(show(rest), "<strong>$1</strong>"))
			return b.String()
		}
		b.WriteString(bold.ReplaceAllString(show(rest[:at[0]]), "<strong>$1</strong>"))
		url := rest[at[2]:at[3]]
		label := url
		if at[4] >= 0 {
			label = rest[at[4]:at[5]]
		}
		b.WriteString(`<a rel="noreferrer" href="` + html.EscapeString(unescape.Replace(url)) + `">` + show(label) + `</a>`)
		rest = rest[at[1]:]
	}
}

// show returns Slack's text as HTML.
func show(s string) string { return html.EscapeString(unescape.Replace(s)) }
