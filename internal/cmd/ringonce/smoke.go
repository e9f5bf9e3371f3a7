package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/smoke"
)

func smokeCommand() command {
	cmd := command{
		name:      "smoke",
		arguments: "--destination ID [--timeout 1m] [--config FILE]",
		summary:   "prove a running stack: send one test incident to one destination",
		usage: `Plays an incident that nothing else is about through a running stack: observed,
decided, told and over. The destination gets a FAILING and a RESOLVED message
that say they are a test; nobody else hears of it. Prints when each step was
done, counted from its observation, or which one did not come and where to look.

The test's observations, incident and decisions are removed afterwards. Its
deliveries stay in the ledger: they are charged, to the owner "smoke". After a
failure everything stays, and the incident ends by itself.

  --destination ID  the destination that is told
  --timeout D       how long each step may take: 30s, 2m; by default 1m
  --config FILE     the configuration that is deployed; else $RINGONCE_CONFIG or
                    ringonce.yaml

Exit status: 0 each step came, 1 one did not.
` + placesUsage,
	}
	cmd.run = func(ctx context.Context, c call) int { return runSmoke(ctx, cmd, c) }
	return cmd
}

func runSmoke(ctx context.Context, cmd command, c call) int {
	var (
		in                         stored
		path, destination, timeout string
	)
	flags := in.places(cmd.name)
	flags.StringVar(&path, "config", setup.ConfigPath(c.env), "")
	flags.StringVar(&destination, "destination", "", "")
	flags.StringVar(&timeout, "timeout", "1m", "")
	if _, code, ok := c.parse(cmd, flags, 0); !ok {
		return code
	}
	wait, err := config.ParseDuration(timeout)
	if err != nil {
		return c.misuse(cmd, "--timeout: "+err.Error())
	}
	cfg, err := loadChecked(c, path)
	if err != nil {
		return c.failed(cmd, err)
	}
	if wrong := unsmokable(cfg, destination); wrong != "" {
		return c.misuse(cmd, fmt.Sprintf("%s; %s has %s; --config names another file", wrong, path, strings.Join(cfg.Written(), ", ")))
	}
	return c.read(ctx, cmd, &in, func(store *dynamo.Store, _ *config.Config) (int, error) {
		return exitOK, playSmoke(ctx, store, cfg, destination, wait, c.stdout)
	})
}

// unsmokable returns why no message can be sent to a destination; empty if it can.
func unsmokable(cfg *config.Config, destination string) string {
	switch to, ok := cfg.Destinations[destination]; {
	case destination == "":
		return "say which destination, with --destination"
	case !ok:
		return fmt.Sprintf("there is no destination %q%s", destination, suggestion(destination, cfg.Written()))
	case to.Group != "":
		return fmt.Sprintf("%s is one recipient of %s: name that, and each is told", destination, to.Group)
	}
	return ""
}

// stepLine describes a step, with its destination if it has one.
func stepLine(s smoke.Step) string {
	said := strings.TrimSpace(s.Destination + " " + s.Note)
	return strings.TrimRight(fmt.Sprintf("  %-8s %-9s %8.3f s  %s", s.Action, s.Name, s.After.Seconds(), said), " ")
}

func playSmoke(ctx context.Context, store smoke.Store, cfg *config.Config, destination string, wait time.Duration, out io.Writer) error {
	begun := setup.Now()
	t := smoke.Test{
		Store: store, Destination: destination, Recipients: cfg.Recipients(destination), Timeout: wait,
		Now: setup.Now, Sleep: setup.Sleep,
		Done: func(s smoke.Step) { fmt.Fprintln(out, stepLine(s)) },
	}
	fmt.Fprintf(out, "Smoke test of %s:\n", destination)
	r, err := t.Run(ctx)
	if err != nil && r.Key == "" {
		return fmt.Errorf("%w\nnothing was written, and nobody is told", err)
	}
	if err != nil {
		return fmt.Errorf("%w\nnothing was removed; the test's incident, which ends by itself, is %s", err, r.Key)
	}
	fmt.Fprintf(out, "All is well: open and resolve arrived, in %.1f s. %s removed; the deliveries stay in the ledger, charged to %s.\n",
		setup.Now().Sub(begun).Seconds(), count(r.Forgotten, "row"), config.SmokeOwner)
	return nil
}
