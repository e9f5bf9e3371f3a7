package explain

import (
	"cmp"
	"fmt"
	"io"
)

// WriteText writes a report for a terminal.
func (rep *Report) WriteText(out io.Writer) error {
	w := &writer{out: out}
	id := rep.Identity
	w.line("%s", cmp.Or(id.Title, rep.Key))
	w.line("%s", rep.Key)
	w.line("%s", rep.standing())
	w.alarm(rep.Differences)
	w.heading("Identity")
	w.table(func(t io.Writer) {
		for _, f := range rep.facts() {
			fmt.Fprintf(t, "  %s\t%s\n", f.Label, f.Value)
		}
	})
	w.heading("Why these notices and no others")
	w.paragraph(rep.Why)
	w.heading("Time line, in ticks (UTC)")
	w.table(func(t io.Writer) { rep.timelineText(t) })
	w.heading("Deliveries")
	w.table(func(t io.Writer) { rep.deliveriesText(t) })
	w.heading("Evidence")
	w.table(func(t io.Writer) {
		for _, f := range rep.Evidence.facts() {
			fmt.Fprintf(t, "  %s\t%s\n", f.Label, f.Value)
		}
	})
	if len(rep.Notes) > 0 {
		w.heading("Limits of this explanation")
		for _, n := range rep.Notes {
			w.paragraph(n)
		}
	}
	return w.err
}

// alarm writes the differences, if there are any, so that nobody misses them.
func (w *writer) alarm(all []Difference) {
	if len(all) == 0 {
		return
	}
	w.line("\n!!! THE LOG OF DECISIONS IS NOT WHAT THE STORED OBSERVATIONS GIVE !!!")
	w.table(func(t io.Writer) {
		for _, d := range all {
			fmt.Fprintf(t, "  %s\tlogged: %s\treplayed: %s\t%s\n", span(d.First, d.Last), d.Log, d.Replay, times(d.Count))
		}
	})
}

// timelineText writes the time line as rows of a table, with a row for each new day.
func (rep *Report) timelineText(t io.Writer) {
	day := ""
	for _, e := range rep.Timeline {
		if d := e.First.UTC().Format("2 January 2006"); d != day {
			day = d
			fmt.Fprintf(t, "  %s\t\t\t\t\n", day)
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", span(e.First, e.Last), e.verdict(), e.Source, e.Mark(), e.Words)
	}
}
