package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// maxShownLacks is how many incidents that cannot be reconstructed WriteText lists.
const maxShownLacks = 50

// WriteText writes a report and the definitions of its numbers for a terminal.
func (r *Report) WriteText(out io.Writer) error {
	w := &writer{out: out}
	w.line("From %s to %s: %d incidents, %d of them opened in that time", stamp(r.From), stamp(r.To), r.Incidents, r.Opened)
	w.table("\nTimes", "\tn\tp50\tp95\tmax", func(row func(...any)) {
		for _, s := range []struct {
			name string
			of   Spread
		}{
			{"detect", r.Times.Detect},
			{"detect_from_event", r.Times.FromEvent},
			{"notify", r.Times.Notify},
			{"notify_open", r.Times.Opens},
			{"end_to_end", r.Times.EndToEnd},
		} {
			row(s.name, s.of.N, duration(s.of, s.of.P50), duration(s.of, s.of.P95), duration(s.of, s.of.Max))
		}
	})
	m := r.Messages
	w.line("\nMessages accepted: %d; duplicates: %d (%s), with possible ones %d (%s)", m.Accepted,
		m.Twice, percent(m.Rate), m.Twice+m.MayBeTwice, percent(m.AtMost))
	r.tables(w)
	w.line("\nReconstruction: %d of %d incidents have every part (%s)", r.Whole.Whole, r.Whole.Incidents, percent(r.Whole.Share))
	for i, l := range r.Whole.Not {
		if i == maxShownLacks {
			w.line("  and %d more; --json has them all", len(r.Whole.Not)-maxShownLacks)
			break
		}
		w.line("  %s episode %d", l.Key, l.Episode)
		for n := range l.Parts {
			w.line("    %s: %s", l.Parts[n], l.Why[n])
		}
	}
	w.line("\nWhat the numbers are")
	for _, d := range r.Definitions {
		w.wrapped("  "+d.Name+": "+d.Is, 96)
	}
	for i, n := range r.Notes {
		if i == 0 {
			w.line("\nLimits of this report")
		}
		w.wrapped("  "+n, 96)
	}
	w.line("\n%s", r.Reads.words())
	return w.err
}

// tables writes what was measured of sources, destinations and owners.
func (r *Report) tables(w *writer) {
	w.table("\nVendors", "source\tpolls\tok\tpartial\tfailed\tskipped\tunfinished\trequests\tretries\trate limited\tshare", func(row func(...any)) {
		for _, s := range r.Sources {
			row(s.Source, s.Polls, s.OK, s.Partial, s.Failed, s.Skipped, s.Unfinished, s.Requests, s.Retries, s.Limited, percent(s.LimitedShare))
		}
	})
	w.table("\nDestinations", "destination\tmessages\taccepted\tsilenced\theld\tdead\tattempts\tfailed\tshare", func(row func(...any)) {
		for _, d := range r.Destinations {
			row(d.Destination, d.Messages, d.Accepted, d.Silenced, d.Held, d.Dead, d.Attempts, byClass(d.Failed), percent(d.FailedShare))
		}
	})
	w.table("\nNotices", "owner\tincidents\ttold\topen\tremind\tresolve\tsilence ended\tdigest\trefused\trestored", func(row func(...any)) {
		for _, o := range r.Owners {
			cells := []any{o.Owner, o.Incidents, o.Total}
			for _, a := range actions() {
				cells = append(cells, o.Notices[a])
			}
			row(cells...)
		}
	})
}

// words says what was read.
func (r Reads) words() string {
	text := fmt.Sprintf("Read: %d incident rows, %d decisions, %d messages, %d poll runs, %d observations",
		r.Incidents, r.Decisions, r.Deliveries, r.Runs, r.Observations)
	if r.Requests > 0 {
		text += fmt.Sprintf("; %d requests, %.1f read units", r.Requests, r.Units)
	}
	return text + "."
}

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

func (w *writer) table(title, header string, fill func(row func(...any))) {
	w.line("%s", title)
	t := tabwriter.NewWriter(w.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  "+header)
	fill(func(cells ...any) {
		text := make([]string, len(cells))
		for i, c := range cells {
			text[i] = fmt.Sprint(c)
		}
		fmt.Fprintln(t, "  "+strings.Join(text, "\t"))
	})
	if err := t.Flush(); w.err == nil {
		w.err = err
	}
}

// wrapped writes a text in lines of at most width bytes, indented after the first.
func (w *writer) wrapped(text string, width int) {
	indent := "    "
	line := text[:len(text)-len(strings.TrimLeft(text, " "))]
	empty := line
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > width && line != empty {
			w.line("%s", line)
			line, empty = indent, indent
		}
		if line != empty {
			line += " "
		}
		line += word
	}
	w.line("%s", line)
}

// duration returns a number of seconds as a duration; "-" if the spread has no value.
func duration(s Spread, seconds float64) string {
	if s.N == 0 {
		return "-"
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond).String()
}

func percent(share float64) string { return fmt.Sprintf("%.2f %%", 100*share) }

// byClass lists the counts of classes.
func byClass(by map[string]int) string {
	all := make([]string, 0, len(by))
	for _, class := range slices.Sorted(maps.Keys(by)) {
		all = append(all, fmt.Sprintf("%d %s", by[class], strings.ReplaceAll(class, "_", " ")))
	}
	if len(all) == 0 {
		return "0"
	}
	return strings.Join(all, ", ")
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
