package replay

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ringonce/ringonce/internal/replay/trace"
)

const keysUsage = `Usage: ringonce keys [flags] FILE...

Reads recorded observations (.jsonl or .csv, .gz) and reports on the incident
keys: how many values each part has, parts that identify requests rather than
incidents, and keys that lump unrelated things together. It exits with 1 when a
limit is broken.

Flags:
`

// KeysCommand runs the command "keys". It returns the exit status: 1 if a limit is
// exceeded.
func KeysCommand(args []string, stdout, stderr io.Writer) int {
	return Tools{}.Keys(args, stdout, stderr)
}

// Keys is KeysCommand with access to recorded observations.
func (tools Tools) Keys(args []string, stdout, stderr io.Writer) int {
	limits := DefaultKeyLimits()
	fs := tools.newFlags("keys", keysUsage, stderr)
	fs.IntVar(&limits.MaxKeys, "max-keys", limits.MaxKeys, "how many different keys are too many")
	fs.IntVar(&limits.MaxValues, "max-values", limits.MaxValues, "how many different values of one part are too many")
	fs.IntVar(&limits.MaxNewPerDay, "max-new-per-day", limits.MaxNewPerDay, "how many new values of one part a day are too many, once the usual ones are known")
	fs.IntVar(&limits.MaxGroups, "max-groups", limits.MaxGroups, "how many of the vendor's groups in one key are worth a warning")
	fs.IntVar(&limits.Examples, "examples", limits.Examples, "how many values to show of each part")
	strict := fs.Bool("strict", false, "count warnings as breaches")
	asJSON := fs.Bool("json", false, "write the report as JSON")
	recorded := fs.Bool("recorded", false, "read the recorded observations of the deployment")
	var paths []string
	err := parseMixed(fs, args, func(arg string) error {
		paths = append(paths, arg)
		return nil
	})
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err == nil && len(paths) == 0 && !*recorded {
		err = errors.New("which observations? Name a .jsonl or .csv file, or give --recorded; see `ringonce help keys`")
	}
	var report *KeyReport
	if err == nil {
		report, err = tools.keys(paths, *recorded, limits)
	}
	if err == nil {
		err = buffered(stdout, func(w io.Writer) error { return report.write(w, *asJSON) })
	}
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "ringonce keys: %v\n", err)
		return exitUsage
	case report.Breached(), *strict && len(report.Findings) > 0:
		return exitBreach
	default:
		return exitOK
	}
}

func (tools Tools) keys(paths []string, recorded bool, limits KeyLimits) (*KeyReport, error) {
	rows, _, err := tools.rows(&trace.Files{Paths: paths}, recorded)
	if err != nil {
		return nil, err
	}
	return Keys(rows, limits)
}

func (r *KeyReport) write(w io.Writer, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(r)
	}
	return r.WriteText(w)
}

// WriteText writes the report for a terminal.
func (r *KeyReport) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%s of %s", plural(r.Rows, "observation"), plural(int64(r.Keys), "key"))
	if r.Rows > 0 {
		fmt.Fprintf(w, ", %s to %s", r.First, r.Last)
	}
	fmt.Fprint(w, "\n\n")
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "kind\tpart\tvalues\tin 2nd half\tbrief\tvolatile\texamples")
	for _, p := range r.Parts {
		fmt.Fprintf(tab, "%s\t%s\t%s\t%d\t%d\t%s\t%s\n",
			p.Kind, quoted(p.Part), atLeast(p.Distinct), p.Late, p.Brief, p.volatile(), strings.Join(p.Examples, ", "))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if r.Rows == 0 {
		fmt.Fprintln(w, "\nNo observation is there to judge keys by.")
		return nil
	}
	if len(r.Findings) == 0 {
		fmt.Fprintln(w, "\nNothing to object to.")
		return nil
	}
	fmt.Fprintln(w)
	for _, f := range r.Findings {
		fmt.Fprintln(w, f)
	}
	return nil
}

func (p PartReport) volatile() string {
	var out []string
	for _, shape := range slices.Sorted(maps.Keys(p.Volatile)) {
		out = append(out, fmt.Sprintf("%s %d", shape, p.Volatile[shape]))
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, " ")
}
