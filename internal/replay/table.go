package replay

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// headings are the column headings of the scores on a terminal.
var headings = map[string]string{
	"missed_opens": "missed", "late_opens": "late", "duplicate_opens": "dup", "false_opens": "false",
	"premature_resolves": "early", "truth_to_open": "→open", "truth_to_resolve": "→resolve",
	"failure_to_open": "streak", "health_to_resolve": "calm", "longest_silence": "silence",
	"reminders": "remind", "notices": "notices",
}

// WriteTable writes the report for a terminal. If there are many policies, only the
// base and the unbeaten ones are shown, unless all is set.
func (rep *Report) WriteTable(w io.Writer, all bool) error {
	fmt.Fprintf(w, "%s of %s", plural(rep.Rows, "row"), plural(int64(rep.Keys), "key"))
	if rep.Rows > 0 {
		fmt.Fprintf(w, ", %s to %s", rep.First, rep.Last)
	}
	fmt.Fprintf(w, ", from %s\n\n", strings.Join(rep.Traces, ", "))
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	rep.tableHead(tab)
	left := 0
	for _, a := range rep.Policies {
		if !all && !a.Unbeaten && a.Number != 1 {
			left++
			continue
		}
		rep.tableRow(tab, a)
	}
	if err := tab.Flush(); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	rep.notes(w, left)
	return nil
}

func (rep *Report) tableHead(w io.Writer) {
	fmt.Fprint(w, "#\t*\t")
	for _, s := range rep.scores {
		fmt.Fprintf(w, "%s\t", headings[s.Name])
	}
	fmt.Fprint(w, "cost\t  policy\n")
}

func (rep *Report) tableRow(w io.Writer, a Assessment) {
	mark := ""
	if a.Unbeaten {
		mark = "*"
	}
	fmt.Fprintf(w, "%d\t%s\t", a.Number, mark)
	for _, s := range rep.scores {
		fmt.Fprintf(w, "%s\t", s.show(a.Scores[s.Name]))
	}
	fmt.Fprintf(w, "%s\t  %s\n", rep.showCost(a.Cost), a.Name)
}

func (rep *Report) notes(w io.Writer, left int) {
	fmt.Fprintln(w, "\n* no other policy is as good on every score and better on one.")
	if left > 0 {
		fmt.Fprintf(w, "%s left out: --all shows them.\n", leftOut(left))
	}
	for _, s := range rep.scores {
		fmt.Fprintf(w, "  %-8s %s\n", headings[s.Name], s.Meaning)
	}
	fmt.Fprintf(w, "  late is more than %s.\n", rep.LateAfter)
	if len(rep.Undefined) > 0 {
		fmt.Fprintf(w, "Not defined, because the traces do not say what was true: %s.\n", strings.Join(rep.Undefined, ", "))
	} else if rep.KeysWithTruth < rep.Keys {
		fmt.Fprintf(w, "Only %d of %d keys have truth; the scores that need it leave the others out.\n", rep.KeysWithTruth, rep.Keys)
	}
	if len(rep.Policies) > 0 && len(rep.Policies[0].Messages) > 0 {
		fmt.Fprintln(w, "\nMessages under the base policy:")
		for _, m := range rep.Policies[0].Messages {
			fmt.Fprintf(w, "  %s by %s: %s, %s\n", m.Owner, m.Channel, thousands(int64(m.Messages)), rep.showCost(m.Cost))
		}
	}
}

func leftOut(n int) string {
	if n == 1 {
		return "One policy that another beats is"
	}
	return fmt.Sprintf("%d policies that others beat are", n)
}
