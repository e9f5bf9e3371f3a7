package replay

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
)

// maxRows bounds the policies shown on the page; JSON has all of them.
const maxRows = 200

//go:embed report.html
var pageText string

var page = template.Must(template.New("report").Parse(pageText))

// pageData is the report as the template reads it: only texts and positions.
type pageData struct {
	Report    *Report
	Heads     []Score
	Rows      []pageRow
	Left      int
	Charts    []Chart
	Lines     []pageLine
	Reasons   []pageReason
	Base      Assessment
	Summary   string
	Undefined string
	Slots     int
}

type pageRow struct {
	Assessment
	Cells []string
	Price string
}

type pageReason struct {
	Count   string
	Meaning string
	Code    incident.Code
}

type pageLine struct {
	*Timeline
	Bands []pageBand
	Marks []pageMark
	Ticks []axisTick
	Span  string
	// Height is that of the drawing, Axis the position of its clock.
	Height, Axis int
}

type pageBand struct {
	Name    string
	Y, High int
	Bars    []Bar
}

type pageMark struct {
	X     int
	Class string
	Title string
}

// WriteHTML writes the report as one self-contained page: no script, no font, no
// external image.
func (rep *Report) WriteHTML(w io.Writer, lines []*Timeline) error {
	d := pageData{Report: rep, Heads: rep.scores, Charts: rep.Charts(), Slots: slots, Summary: rep.summary()}
	for _, a := range rep.Policies {
		if len(d.Rows) == maxRows || (len(rep.Policies) > maxRows && !a.Unbeaten && a.Number != 1) {
			d.Left++
			continue
		}
		d.Rows = append(d.Rows, rep.pageRow(a))
	}
	if len(rep.Policies) > 0 {
		d.Base = rep.Policies[0]
		d.Reasons = pageReasons(d.Base.Reasons)
	}
	for _, l := range lines {
		d.Lines = append(d.Lines, newPageLine(l))
	}
	d.Undefined = strings.Join(rep.Undefined, ", ")
	if err := page.Execute(w, d); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

func (rep *Report) summary() string {
	text := fmt.Sprintf("%s of %s", plural(rep.Rows, "observation"), plural(int64(rep.Keys), "incident key"))
	if rep.Rows > 0 {
		text += fmt.Sprintf(", %s to %s", rep.First, rep.Last)
	}
	if n := len(rep.Policies); n > 1 {
		text += fmt.Sprintf("; %d policies compared", n)
	}
	return text
}

func (rep *Report) pageRow(a Assessment) pageRow {
	r := pageRow{Assessment: a, Price: rep.showCost(a.Cost)}
	for _, s := range rep.scores {
		r.Cells = append(r.Cells, s.show(a.Scores[s.Name]))
	}
	return r
}

// MessageCost formats the cost of messages, for the template.
func (d pageData) MessageCost(n Notification) string { return d.Report.showCost(n.Cost) }

func pageReasons(counts map[incident.Code]int) []pageReason {
	var out []pageReason
	for _, c := range incident.Codes() {
		if n := counts[c.Code]; n > 0 {
			out = append(out, pageReason{thousands(int64(n)), c.Meaning, c.Code})
		}
	}
	return out
}
