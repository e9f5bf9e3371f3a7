package inbox

import (
	"regexp"
	"strings"
)

// read returns a valid payload as Slack would show it.
func (p payload) read() *Post {
	post := &Post{}
	automatic := p.Mrkdwn == nil || *p.Mrkdwn
	post.Fallback = post.markup(p.Text, automatic && p.Parse != "none", p.LinkNames)
	for _, b := range p.Blocks {
		post.block(b)
	}
	return post
}

func (p *Post) block(b block) {
	if len(b.Fields) > 0 {
		p.fields(b.Fields)
		return
	}
	for _, t := range b.texts() {
		style := map[string]string{"header": "header", "context": "small"}[b.Type]
		p.lines(style, p.text(t))
	}
}

// fields shows fields in two columns, a label and its value.
func (p *Post) fields(fields []textObject) {
	for i := 0; i < len(fields); i += 2 {
		row := p.text(fields[i])
		if i+1 < len(fields) {
			row = pad(unstar(row), 18) + p.text(fields[i+1])
		}
		p.lines("", row)
	}
}

func (p *Post) lines(style, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		s := style
		if s == "" && unstar(line) != line {
			s, line = "bold", unstar(line)
		}
		p.Shown = append(p.Shown, Line{Style: s, Text: line})
	}
}

func (p *Post) text(t textObject) string {
	automatic := t.Type == "mrkdwn" && (t.Verbatim == nil || !*t.Verbatim)
	return p.markup(t.Text, automatic, automatic)
}

var (
	token   = regexp.MustCompile(`<([^<>]+)>`)
	bareURL = regexp.MustCompile(`https?://[^\s<>|]+`)
	atName  = regexp.MustCompile(`@(?:channel|here|everyone)\b`)
)

// markup reads Slack's own markup: <!channel>, <@U1>, <#C1>, <URL|label>. It reads it
// in every text, plain_text too, since a sender must not rely on Slack to ignore it
// there. If a text is not verbatim, bare addresses become links and names mentions.
func (p *Post) markup(text string, autoLinks, autoNames bool) string {
	shown := token.ReplaceAllStringFunc(text, func(t string) string {
		inner := t[1 : len(t)-1]
		target, label, labelled := strings.Cut(inner, "|")
		if strings.ContainsAny(inner[:1], "!@#") {
			p.Mentions = append(p.Mentions, inner)
			return "⟪" + decode(inner) + "⟫"
		}
		if !labelled {
			label = target
		}
		p.Links = append(p.Links, Link{URL: decode(target), Label: decode(label)})
		if label == target {
			return target
		}
		return label + " (" + target + ")"
	})
	rest := token.ReplaceAllString(text, "")
	if autoLinks {
		for _, u := range bareURL.FindAllString(rest, -1) {
			p.Links = append(p.Links, Link{URL: decode(u), Label: decode(u)})
		}
	}
	if autoNames {
		p.Mentions = append(p.Mentions, atName.FindAllString(rest, -1)...)
	}
	return decode(shown)
}

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

func decode(s string) string { return entities.Replace(s) }

// unstar removes the stars of a line that is bold as a whole.
func unstar(s string) string {
	if len(s) > 2 && s[0] == '*' && s[len(s)-1] == '*' {
		return s[1 : len(s)-1]
	}
	return s
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(1, width-len(s)))
}
