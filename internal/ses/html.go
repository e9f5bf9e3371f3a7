package ses

import (
	stdhtml "html"
	"strings"

	"github.com/ringonce/ringonce/internal/notice"
)

// The styles set no text or background colour, so a mail follows its reader's light
// or dark theme; the bar's colours are visible on both.
const (
	styleBody  = "font-family:sans-serif;font-size:15px;line-height:1.45;max-width:42em"
	styleHead  = "font-size:18px;margin:0 0 12px;padding-left:10px;border-left:6px solid "
	stylePre   = "white-space:pre-wrap;word-break:break-word;margin:0 0 12px"
	styleSmall = "font-size:12px;opacity:.7;word-break:break-all"
	styleLabel = "padding:2px 14px 2px 0;opacity:.7;vertical-align:top;white-space:nowrap"
	styleValue = "padding:2px 0;vertical-align:top;word-break:break-word"
)

// barColours maps the marks of notices to colours. Each has a contrast of at least
// 3:1 against white and against the black of a dark mail program.
var barColours = map[string]string{"🔴": "#d64545", "🟠": "#c8741f", "🟢": "#2f9e5b", "🟣": "#8a63d2", "⚪": "#8a8f98"}

// html renders a mail as HTML. It is built by hand from escaped pieces: a template
// engine would be a quarter of the size of the function that sends it.
func html(w notice.Words) string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">` +
		`<meta name="color-scheme" content="light dark"></head><body style="` + styleBody + `">` + "\n")
	element(&b, "h1", styleHead+barColours[w.Mark], esc(w.Headline))
	element(&b, "p", stylePre, esc(w.Summary))
	if w.Todo.Value != "" {
		element(&b, "p", "", "<strong>"+esc(w.Todo.Label)+":</strong> "+linked(w.Todo.Value))
	}
	factTable(&b, w.Facts)
	links(&b, w)
	for _, s := range w.Samples {
		element(&b, "pre", stylePre, esc(s))
	}
	if w.Why != "" {
		element(&b, "p", "", "Why now: "+esc(w.Why))
	}
	if w.Repeat != "" {
		element(&b, "p", "", "<strong>"+esc(w.Repeat)+"</strong>")
	}
	element(&b, "p", styleSmall, "Delivery "+esc(w.Delivery)+"<br>Incident "+esc(w.Key))
	b.WriteString("</body></html>\n")
	return b.String()
}

func esc(s string) string { return stdhtml.EscapeString(s) }

// element writes one element; its content is already HTML.
func element(b *strings.Builder, name, style, content string) {
	b.WriteString("<" + name)
	if style != "" {
		b.WriteString(` style="` + style + `"`)
	}
	b.WriteString(">" + content + "</" + name + ">\n")
}

func factTable(b *strings.Builder, facts []notice.Fact) {
	if len(facts) == 0 {
		return
	}
	b.WriteString(`<table role="presentation" style="border-collapse:collapse;margin:0 0 12px">` + "\n")
	for _, f := range facts {
		b.WriteString(`<tr><td style="` + styleLabel + `">` + esc(f.Label) + `</td><td style="` + styleValue + `">` +
			esc(f.Value) + "</td></tr>\n")
	}
	b.WriteString("</table>\n")
}

// links writes the links to the vendor and to the incident's page.
func links(b *strings.Builder, w notice.Words) {
	var all []string
	if w.Link != "" {
		all = append(all, anchor(w.Link, w.LinkLabel))
	}
	if w.Page != "" {
		all = append(all, anchor(w.Page, w.PageLabel))
	}
	if len(w.Pages) > 0 {
		numbers := make([]string, len(w.Pages))
		for i, p := range w.Pages {
			numbers[i] = anchor(p.Value, p.Label)
		}
		all = append(all, "Incident pages: "+strings.Join(numbers, " "))
	}
	if len(all) > 0 {
		element(b, "p", "", strings.Join(all, " &nbsp;·&nbsp; "))
	}
}

func anchor(url, label string) string {
	return `<a href="` + esc(url) + `" rel="noreferrer">` + esc(label) + "</a>"
}

// linked turns the addresses in a text of the configuration into links.
func linked(s string) string {
	var b strings.Builder
	for _, p := range notice.Spans(s) {
		if p.URL != "" {
			b.WriteString(anchor(p.URL, p.Text))
		} else {
			b.WriteString(esc(p.Text))
		}
	}
	return b.String()
}
