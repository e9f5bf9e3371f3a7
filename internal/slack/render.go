package slack

import (
	"fmt"
	"strings"

	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/wire"
)

// Lengths of the parts of a message, in UTF-16 units after escaping. Slack's own
// limits are 150 for a header, 3,000 for a section, 2,000 for a field and 50 blocks.
// It also refuses messages whose blocks hold around 12,000 in all, which it does not
// document: a message was refused at 11,341 (slackapi/bolt-js #2509 and #2867).
// maxTotal leaves room.
const (
	maxHeader  = 150
	maxSummary = 2000
	maxTodo    = 600
	maxFact    = 160
	maxLink    = 1500
	maxPage    = 1700
	maxWhy     = 400
	maxFooter  = 1300
	maxSample  = 700
	maxSection = 2900
	maxTotal   = 9000

	summaryLines = 30
	sampleLines  = 12
	maxFallback  = 500
)

// Render turns a notice into the body of a webhook call. Equal notices give equal
// bytes.
//
// All vendor text is escaped and in plain_text objects, so it is shown literally: it
// mentions nobody, links nowhere and has no formatting.
func Render(n notice.Notice) []byte { return wire.JSON(compose(n)) }

func compose(n notice.Notice) message {
	w := n.Words()
	m := message{Text: fallback(w), Blocks: essential(w), Parse: "none"}
	m.Blocks = append(m.Blocks, samples(w.Samples, maxTotal-total(m.Blocks)-total(footer(w)))...)
	m.Blocks = append(m.Blocks, footer(w)...)
	return m
}

// essential returns all blocks except samples and footer.
func essential(w notice.Words) []block {
	blocks := []block{
		header(ours(escaped.Clip(w.Mark+" "+w.Headline, 1, maxHeader))),
		section(plain(escaped.Clip(w.Summary, summaryLines, maxSummary))),
	}
	if w.Todo.Value != "" {
		blocks = append(blocks, section(markup(bold(w.Todo.Label)+"\n"+linked(escaped.Clip(w.Todo.Value, 1, maxTodo)))))
	}
	blocks = append(blocks, factSections(w.Facts)...)
	return append(blocks, links(w)...)
}

// links returns the links to the vendor and to the incident's page, in one section if
// they fit. A link that is too long is left out rather than cut: half a link opens
// another page.
func links(w notice.Words) []block {
	var (
		blocks []block
		lines  []string
	)
	switch {
	case w.Link == "":
	case escaped.Length(w.Link) > maxLink:
		blocks = append(blocks, contextBlock(ours("The link to the source is left out: it is too long for Slack.")))
	default:
		lines = append(lines, link(w.Link, escaped.Clip(w.LinkLabel, 1, maxHeader)))
	}
	if w.Page != "" && escaped.Length(w.Page) <= maxPage {
		lines = append(lines, link(w.Page, w.PageLabel))
	}
	if line := pages(w.Pages); line != "" {
		lines = append(lines, line)
	}
	if text := strings.Join(lines, "\n"); text != "" && notice.Plain.Length(text) <= maxSection {
		return append(blocks, section(markup(text)))
	}
	for _, line := range lines {
		blocks = append(blocks, section(markup(line)))
	}
	return blocks
}

// pages returns one line of links to the pages of a digest's items, as many as fit.
func pages(all []notice.Fact) string {
	line := "Incident pages:"
	for _, p := range all {
		next := " " + link(p.Value, p.Label)
		if notice.Plain.Length(line)+notice.Plain.Length(next) > maxSection {
			break
		}
		line += next
	}
	if len(all) == 0 {
		return ""
	}
	return line
}

// samples shows whole samples only, and the number of those that do not fit.
func samples(all []string, room int) []block {
	if len(all) == 0 {
		return nil
	}
	clipped := make([]string, 0, len(all))
	for _, s := range all {
		clipped = append(clipped, bullet(escaped.Clip(s, sampleLines, maxSample)))
	}
	kept, more := escaped.Fit(clipped, min(room, maxSection))
	if more > 0 {
		kept = append(kept[:len(kept):len(kept)], fmt.Sprintf("+%d more from the source", more))
	}
	return []block{section(plain(strings.Join(kept, "\n")))}
}

func bullet(s string) string { return "• " + strings.ReplaceAll(s, "\n", "\n   ") }

// footer returns why the message was sent, and the ids to look it up by.
func footer(w notice.Words) []block {
	var blocks []block
	if w.Why != "" {
		blocks = append(blocks, contextBlock(plain(escaped.Clip("Why now: "+w.Why, 1, maxWhy))))
	}
	if w.Repeat != "" {
		blocks = append(blocks, contextBlock(ours(w.Repeat)))
	}
	return append(blocks, contextBlock(plain(escaped.Clip(w.Delivery+" · "+w.Key, 1, maxFooter))))
}

// fallback returns one line with what happened, to what, and whose it is.
func fallback(w notice.Words) string {
	s := w.Headline + ": " + notice.OneLine(w.Summary)
	return escape(escaped.Clip(s, 1, maxFallback))
}

// linked turns the addresses in a text of the configuration into links.
func linked(s string) string {
	var b strings.Builder
	for _, p := range notice.Spans(s) {
		if p.URL != "" {
			b.WriteString(link(p.URL, p.Text))
		} else {
			b.WriteString(escape(p.Text))
		}
	}
	return b.String()
}

func total(blocks []block) int {
	n := 0
	for _, b := range blocks {
		if b.Text != nil {
			n += notice.Plain.Length(b.Text.Text)
		}
		for _, t := range append(b.Fields[:len(b.Fields):len(b.Fields)], b.Elements...) {
			n += notice.Plain.Length(t.Text)
		}
	}
	return n
}
