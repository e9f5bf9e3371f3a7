package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/report"
)

func reportCommand() command {
	cmd := command{
		name:      "report",
		arguments: "[--from DAY --to DAY] [--json]",
		summary:   "measure detection, notification, duplicates, vendor load and what can be reconstructed",
		usage: `Measures a period from what was stored.

  --from, --to TIME this period, both ends included: 2026-01-02 is that day,
                    2026-01-02T15:04:05Z that moment;
                    by default the last 7 days. It ends now at the latest
` + storedUsage + `
Numbers:
` + definitionsUsage() + `
An incident can be reconstructed when all of these are stored:
` + partsUsage() + `
It reads every incident's row once (the whole table, 1 MB a request), the poll
runs of the period, and for each incident with a decision in the period its
decisions and its messages: about two requests for each of those incidents, and
one for each digest. In memory it keeps a short row of each of those incidents,
eight bytes for each measured time and a line for each incident that lacks
something. The last line says what it read.
`,
	}
	cmd.run = func(ctx context.Context, c call) int { return runReport(ctx, cmd, c) }
	return cmd
}

func definitionsUsage() string {
	var b strings.Builder
	for _, d := range report.Definitions() {
		if d.Name != "reconstruction" {
			hanging(&b, d.Name, d.Is)
		}
	}
	return b.String()
}

func partsUsage() string {
	var b strings.Builder
	for _, d := range report.Parts() {
		hanging(&b, d.Name, d.Is)
	}
	return b.String()
}

// hanging writes a term with its meaning beside it.
func hanging(b *strings.Builder, term, meaning string) {
	const indent, width = 20, 78
	line := fmt.Sprintf("  %-*s", indent-2, term)
	for word := range strings.FieldsSeq(meaning) {
		if len(line)+1+len(word) > width && len(line) > indent {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = strings.Repeat(" ", indent)
		}
		if len(line) > indent {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
}

func runReport(ctx context.Context, cmd command, c call) int {
	var (
		s     stored
		meter dynamo.Meter
	)
	flags := s.define(cmd.name)
	from, to := flags.String("from", "", ""), flags.String("to", "", "")
	if _, code, ok := c.parse(cmd, flags, 0); !ok {
		return code
	}
	first, last, early, err := measured(*from, *to, time.Now().UTC())
	if err != nil {
		return c.misuse(cmd, err.Error())
	}
	if early {
		// On stderr, so that stdout holds only the report.
		fmt.Fprintf(c.stderr, "--to %s is not past yet: the report ends now, at %s.\n", *to, last.Format(minuteForm))
	}
	return c.read(ctx, cmd, &s, func(store *dynamo.Store, cfg *config.Config) (int, error) {
		m := report.Measurer{Store: store}
		if cfg != nil {
			m.Sources = sourceIDs(cfg)
		}
		rep, err := m.Measure(ctx, first, last)
		if err != nil {
			return exitProblems, err
		}
		rep.Reads.Requests, rep.Reads.Units = meter.Sum()
		if s.json {
			return exitOK, writeJSON(c.stdout, rep)
		}
		return exitOK, rep.WriteText(c.stdout)
	}, dynamo.CountReads(&meter))
}

// measured returns the period of a report: the last seven days, or the one requested.
// It ends now at the latest; early says that this is before the requested end.
func measured(from, to string, now time.Time) (first, last time.Time, early bool, err error) {
	if from == "" && to == "" {
		return now.AddDate(0, 0, -7), now, false, nil
	}
	if from == "" {
		return first, last, false, fmt.Errorf("give --from as well")
	}
	first, last, err = period(from, to)
	switch {
	case err != nil:
	case first.After(now):
		err = fmt.Errorf("--from %s has not come yet", from)
	case to == "":
		last = now
	case last.After(now):
		last, early = now, true
	}
	return first, last, early, err
}
