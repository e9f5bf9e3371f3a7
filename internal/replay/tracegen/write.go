package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

func (s story) write(w io.Writer) error {
	if strings.HasSuffix(s.file, ".csv") {
		return writeCSV(w, s.tell())
	}
	out := trace.NewWriter(w)
	for _, r := range s.tell() {
		if err := out.Write(r); err != nil {
			return err
		}
	}
	return out.Close()
}

// writeCSV writes plain rows; no text of a story needs quoting.
func writeCSV(w io.Writer, rows []trace.Row) error {
	buf := bufio.NewWriter(w)
	fmt.Fprintln(buf, "tick,key,verdict,truth,owner,source")
	for _, r := range rows {
		fmt.Fprintf(buf, "%s,%s,%s,%s,%s,%s\n",
			observation.FormatTick(r.Tick), r.IncidentKey, r.Verdict, r.Truth, r.Owner, r.Source)
	}
	return buf.Flush()
}
