package explain

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// WriteText writes a status for a terminal.
func (rep *StatusReport) WriteText(out io.Writer) error {
	w := &writer{out: out}
	w.line("As of %s: %s", stamp(rep.At), rep.incidents())
	w.heading("Sources")
	w.table(func(t io.Writer) {
		fmt.Fprintln(t, "  source\tlast poll\tcame out\titems\tfailing\trequests\tretries\tremarks")
		for _, s := range rep.Sources {
			fmt.Fprintf(t, "  %s\t%s\t%s\t%d\t%d\t%d\t%d\t%s\n", s.Source, clock(s.Tick), s.State, s.Items, s.Failing, s.Requests, s.Retries, s.remarks())
		}
	})
	w.heading("Destinations")
	w.table(func(t io.Writer) {
		fmt.Fprintln(t, "  destination\twaiting\toldest\tambiguous\theld\tdead\tremarks")
		for _, d := range rep.Destinations {
			fmt.Fprintf(t, "  %s\t%d\t%s\t%d\t%d\t%d\t%s\n", d.Destination, d.Waiting, clock(d.Oldest), d.Ambiguous, d.Held, d.Dead, d.remarks())
		}
	})
	w.heading("Functions")
	w.table(func(t io.Writer) {
		fmt.Fprintln(t, "  function\tlast worked\tup to tick")
		for _, p := range rep.Parts {
			fmt.Fprintf(t, "  %s\t%s\t%s\n", p.Part, clock(p.At), clock(p.Tick))
		}
	})
	if len(rep.Silences) > 0 {
		w.heading("Silences that hold")
		w.table(func(t io.Writer) {
			fmt.Fprintln(t, "  silence\tincidents\tuntil\tof\treason\tauthor")
			for _, s := range rep.Silences {
				fmt.Fprintf(t, "  %s\t%d\t%s\t%s\t%s\t%s\n", s.ID, s.Incidents, clock(s.Until), s.Of, s.Reason, s.Author)
			}
		})
	}
	if len(rep.Problems) == 0 {
		w.line("\nNothing needs a person.")
		return w.err
	}
	w.heading("To look at")
	for _, p := range rep.Problems {
		w.line("  %s", p)
	}
	return w.err
}

// incidents counts the incidents by status, in words.
func (rep *StatusReport) incidents() string {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(rep.Incidents)) {
		all = append(all, fmt.Sprintf("%d %s", rep.Incidents[status], status))
	}
	text := cmp.Or(strings.Join(all, ", "), "no incident yet")
	for i, how := range slices.Sorted(maps.Keys(rep.Quiet)) {
		text += []string{"; of these ", " and "}[min(i, 1)] + fmt.Sprintf("%d %s", rep.Quiet[how], how)
	}
	return text
}

func (d DestinationStatus) remarks() string {
	var all []string
	if d.RefusedCode != "" {
		all = append(all, "refuses everything since "+clock(d.RefusedSince)+" ("+d.RefusedCode+")")
	}
	if !d.PausedUntil.IsZero() {
		all = append(all, "wants a pause until "+clock(d.PausedUntil))
	}
	if d.Answer != "" {
		all = append(all, "the oldest was answered "+d.Answer)
	}
	return cmp.Or(strings.Join(all, ", "), "-")
}

func (s SourceStatus) remarks() string {
	var all []string
	if s.Late {
		all = append(all, "late")
	}
	if s.Unreachable {
		all = append(all, "told as unreachable")
	}
	if s.Bad > 0 {
		all = append(all, inARow(s.Bad, "bad poll"))
	}
	return cmp.Or(strings.Join(all, ", "), "-")
}
