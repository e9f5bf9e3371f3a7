package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/observation"
)

func explainCommand() command {
	cmd := command{
		name:      "explain",
		arguments: "[--episode N] [--json | --html FILE] KEY",
		summary:   "reconstruct an incident: what was seen, decided and told, and why no more",
		usage: `Reconstructs one incident. KEY is its key, the beginning of one, the delivery id
at the end of a message (or the whole message), or the vendor's own id.

What was not decided is recovered by replaying the stored observations through
the function that decides, and held against the log of decisions; a difference
is shown, and exits with 1.

  --episode N       only this episode; 0 is all. A message's own is the default
                    when it was asked for by a message
  --from, --to TIME only these ticks: 2026-01-02T15:04:05Z or 2026-01-02
  --html FILE       write a page that can be printed or sent, "-" for stdout
` + storedUsage,
	}
	cmd.run = func(ctx context.Context, c call) int { return runExplain(ctx, cmd, c) }
	return cmd
}

func runExplain(ctx context.Context, cmd command, c call) int {
	var (
		s          stored
		q          explain.Query
		from, to   string
		page       string
		episodeAny = -1
	)
	flags := s.define(cmd.name)
	flags.IntVar(&episodeAny, "episode", episodeAny, "")
	flags.StringVar(&from, "from", "", "")
	flags.StringVar(&to, "to", "", "")
	flags.StringVar(&page, "html", "", "")
	args, code, ok := c.parse(cmd, flags, 1)
	switch {
	case !ok:
		return code
	case !names(args):
		return c.misuse(cmd, whichIncident)
	case episodeAny < -1 || (episodeAny == -1 && given(flags, "episode")):
		return c.misuse(cmd, fmt.Sprintf("--episode %d: episodes are numbered from 1; 0 is all", episodeAny))
	case s.json && page != "":
		return c.misuse(cmd, "--json and --html cannot go together")
	}
	var err error
	if q.From, q.To, err = period(from, to); err != nil {
		return c.misuse(cmd, err.Error())
	}
	return c.read(ctx, cmd, &s, func(store *dynamo.Store, cfg *config.Config) (int, error) {
		found, err := findIncident(ctx, store, args[0])
		if err != nil {
			return exitProblems, err
		}
		if len(found) > 1 {
			return c.ambiguous("explain", found), nil
		}
		q.Episode = max(episodeAny, 0)
		if episodeAny < 0 {
			q.Episode = found[0].Episode
		}
		x, err := c.explainer(ctx, store, cfg)
		if err != nil {
			return exitProblems, err
		}
		rep, err := x.Explain(ctx, found[0], q)
		if err != nil {
			return exitProblems, err
		}
		if q.Episode > 0 && len(rep.Episodes)+len(rep.Timeline)+len(rep.Deliveries) == 0 {
			return exitProblems, fmt.Errorf("nothing is stored of episode %d of %s; the newest is %d", q.Episode, rep.Key, rep.State.Episode)
		}
		return c.showExplained(rep, s.json, page)
	})
}

const whichIncident = "say which incident: a key, the beginning of one, a delivery id or a vendor's id"

// names reports whether an incident was named: every key begins with the empty text.
func names(args []string) bool { return len(args) > 0 && strings.TrimSpace(args[0]) != "" }

// given reports whether a flag is on the command line.
func given(flags *flag.FlagSet, name string) (found bool) {
	flags.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

// findIncident finds the incident that a person asks for, or says where to look.
func findIncident(ctx context.Context, store explain.Store, asked string) ([]explain.Found, error) {
	found, err := explain.Find(ctx, store, asked)
	if errors.Is(err, explain.ErrNotFound) {
		err = fmt.Errorf("%w; `ringonce list --status all` lists them", err)
	}
	return found, err
}

func (c call) showExplained(rep *explain.Report, asJSON bool, page string) (int, error) {
	code := exitOK
	if len(rep.Differences) > 0 {
		code = exitProblems
	}
	switch {
	case asJSON:
		return code, writeJSON(c.stdout, rep)
	case page == "-":
		return code, rep.WriteHTML(c.stdout)
	case page != "":
		var b bytes.Buffer
		if err := rep.WriteHTML(&b); err != nil {
			return code, err
		}
		if err := os.WriteFile(page, b.Bytes(), 0o600); err != nil {
			return code, fmt.Errorf("write the page: %w", err)
		}
		fmt.Fprintf(c.stdout, "%s: %d bytes\n", page, b.Len())
		return code, nil
	default:
		return code, rep.WriteText(c.stdout)
	}
}

// ambiguous lists the matches, as many as a person reads.
func (c call) ambiguous(command string, found []explain.Found) int {
	const shown = 20
	fmt.Fprintf(c.stderr, "ringonce %s: %d incidents fit; give one of these keys:\n", command, len(found))
	for i, f := range found {
		if i == shown {
			fmt.Fprintf(c.stderr, "  and %d more\n", len(found)-shown)
			break
		}
		fmt.Fprintf(c.stderr, "  %s\n", f.Key)
	}
	return exitProblems
}

// period reads the two ends of a period; a day as the later end includes all of it.
func period(from, to string) (first, last time.Time, err error) {
	if from != "" {
		if first, err = moment(from, false); err != nil {
			return first, last, err
		}
	}
	if to != "" {
		if last, err = moment(to, true); err != nil {
			return first, last, err
		}
	}
	if from != "" && to != "" && last.Before(first) {
		return first, last, fmt.Errorf("--to %s is before --from %s", to, from)
	}
	return first, last, nil
}

func moment(s string, end bool) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		if end {
			t = t.AddDate(0, 0, 1).Add(-time.Second)
		}
		return t, nil
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.UTC(), nil
	}
	return time.Time{}, fmt.Errorf("%q is no time: write %s, or a day as 2026-01-02", s, observation.FormatTick(time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)))
}
