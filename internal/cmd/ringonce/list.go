package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/silence"
)

func listCommand() command {
	cmd := command{
		name:      "list",
		arguments: "[--status open,streak] [--owner ID] [--older-than 1h]",
		summary:   "list incidents that are open, flapping or on a failing streak",
		usage: `Lists incidents, the oldest first. The next reminder is that of the
configuration or, without one, of the policy that was last decided by.

  --status LIST     some of open, flapping, streak, resolved, quiet, or all; by
                    default open,flapping,streak. On a streak is what fails, but
                    not for long enough to open; quiet is what never opened.
                    Also silenced and acked: what a silence keeps quiet now, and
                    what a person has taken on
  --owner ID        only this owner's, by the configuration
  --source ID       only those that this source has spoken for
  --older-than D    failing for at least this long: 30m, 2h, 3d
  --younger-than D  failing for at most this long
` + storedUsage,
	}
	cmd.run = func(ctx context.Context, c call) int { return runList(ctx, cmd, c) }
	return cmd
}

var statuses = []string{"open", "flapping", "streak", "resolved", "quiet", explain.SilencedStatus, explain.AckedStatus}

func runList(ctx context.Context, cmd command, c call) int {
	var (
		s              stored
		f              explain.Filter
		older, younger string
	)
	flags := s.define(cmd.name)
	status := flags.String("status", "open,flapping,streak", "")
	flags.StringVar(&f.Owner, "owner", "", "")
	flags.StringVar(&f.Source, "source", "", "")
	flags.StringVar(&older, "older-than", "", "")
	flags.StringVar(&younger, "younger-than", "", "")
	if _, code, ok := c.parse(cmd, flags, 0); !ok {
		return code
	}
	var err error
	if f.Statuses, err = chosenStatuses(*status); err != nil {
		return c.misuse(cmd, err.Error())
	}
	for _, d := range []struct {
		flag, text string
		to         *time.Duration
	}{{"--older-than", older, &f.MinAge}, {"--younger-than", younger, &f.MaxAge}} {
		if d.text == "" {
			continue
		}
		if *d.to, err = config.ParseDuration(d.text); err != nil {
			return c.misuse(cmd, named(d.flag, err).Error())
		}
	}
	return c.read(ctx, cmd, &s, func(store *dynamo.Store, cfg *config.Config) (int, error) {
		x, err := c.explainer(ctx, store, cfg)
		if err != nil {
			return exitProblems, err
		}
		all, err := x.List(ctx, f, time.Now())
		if len(all) == 0 {
			// What has left the configuration may still have incidents.
			if unknown := checkNames(cfg, silence.Match{Owner: f.Owner, Source: f.Source}); unknown != nil {
				fmt.Fprintf(c.stderr, "ringonce list: %v\n", unknown)
			}
		}
		switch {
		case err != nil:
			return exitProblems, err
		case s.json:
			return exitOK, writeJSON(c.stdout, all)
		case len(all) == 0:
			fmt.Fprintln(c.stdout, "No incident is like that"+others(f)+".")
			return exitOK, nil
		default:
			return exitOK, explain.WriteList(c.stdout, all)
		}
	})
}

// others says how to list incidents of other statuses.
func others(f explain.Filter) string {
	if len(f.Statuses) == 0 {
		return ""
	}
	return "; `ringonce list --status all` lists the others"
}

func chosenStatuses(text string) ([]string, error) {
	if text == "all" {
		return nil, nil
	}
	var chosen []string
	for one := range strings.SplitSeq(text, ",") {
		if one = strings.TrimSpace(one); !slices.Contains(statuses, one) {
			return nil, fmt.Errorf("there is no status %q: use some of %s, or all", one, strings.Join(statuses, ", "))
		}
		chosen = append(chosen, one)
	}
	return chosen, nil
}
