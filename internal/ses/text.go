package ses

import (
	"strings"

	"github.com/ringonce/ringonce/internal/notice"
)

// plainText renders a mail for readers without HTML. Foreign text is indented, so
// that none of its lines can pass for one of ours.
func plainText(w notice.Words) string {
	var b strings.Builder
	paragraph(&b, strings.TrimSpace(w.Mark+" "+w.Headline))
	paragraph(&b, indent(w.Summary))
	if w.Todo.Value != "" {
		paragraph(&b, w.Todo.Label+": "+w.Todo.Value)
	}
	paragraph(&b, table(w.Facts))
	if w.Link != "" {
		paragraph(&b, w.LinkLabel+":\n"+w.Link)
	}
	if w.Page != "" {
		paragraph(&b, w.PageLabel+":\n"+w.Page)
	}
	if len(w.Pages) > 0 {
		lines := []string{"Incident pages:"}
		for _, p := range w.Pages {
			lines = append(lines, p.Label+". "+p.Value)
		}
		paragraph(&b, strings.Join(lines, "\n"))
	}
	for _, s := range w.Samples {
		paragraph(&b, indent(s))
	}
	if w.Why != "" {
		paragraph(&b, "Why now: "+w.Why)
	}
	paragraph(&b, w.Repeat)
	b.WriteString("Delivery " + w.Delivery + "\nIncident " + w.Key + "\n")
	return b.String()
}

func paragraph(b *strings.Builder, s string) {
	if s != "" {
		b.WriteString(s + "\n\n")
	}
}

func indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }

// table aligns the values in one column.
func table(facts []notice.Fact) string {
	width := 0
	for _, f := range facts {
		width = max(width, len(f.Label)+2)
	}
	lines := make([]string, len(facts))
	for i, f := range facts {
		lines[i] = f.Label + ":" + strings.Repeat(" ", width-len(f.Label)-1) + f.Value
	}
	return strings.Join(lines, "\n")
}
