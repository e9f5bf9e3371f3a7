package explain

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// writer writes text for a terminal and keeps the first error.
type writer struct {
	out io.Writer
	err error
}

func (w *writer) line(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.out, format+"\n", args...)
	}
}

func (w *writer) heading(s string) { w.line("\n%s", s) }

func (w *writer) table(fill func(io.Writer)) {
	if w.err != nil {
		return
	}
	t := tabwriter.NewWriter(w.out, 0, 0, 2, ' ', 0)
	fill(t)
	w.err = t.Flush()
}

// width is the number of columns that a paragraph fills.
const width = 96

// paragraph writes a text in indented lines of at most width bytes.
func (w *writer) paragraph(s string) {
	line := " "
	for word := range strings.FieldsSeq(s) {
		if len(line)+1+len(word) > width && line != " " {
			w.line("%s", line)
			line = " "
		}
		line += " " + word
	}
	w.line("%s", line)
}
