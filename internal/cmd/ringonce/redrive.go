package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/setup"
)

func redriveCommand() command {
	cmd := command{
		name:      "redrive",
		arguments: "[--since 1h] [--config FILE]",
		summary:   "judge stored observations again, after stream records have failed",
		usage: `Judges the stored observations of the last while again, as the function decide
does: from the table, whatever the failure queue says. What was judged before
changes nothing. What is decided now is told by the functions deliver and sweep;
messages whose record has failed are due already, and sweep sends them. Messages
link to incident pages where those of the functions do: it asks CloudFormation
for the stack's page and signs with the same secret, or takes RINGONCE_PAGE_URL,
RINGONCE_PAGE_SECRET and RINGONCE_PAGE_DAYS where they are set.

  --since D         how far back: 30m, 2h, 1d; by default 1h
  --config FILE     the configuration; else $RINGONCE_CONFIG or ringonce.yaml
` + placesUsage,
	}
	cmd.run = func(ctx context.Context, c call) int { return runRedrive(ctx, cmd, c) }
	return cmd
}

func runRedrive(ctx context.Context, cmd command, c call) int {
	var (
		since, path string
		in          stored
	)
	flags := in.places(cmd.name)
	flags.StringVar(&since, "since", "1h", "")
	flags.StringVar(&path, "config", setup.ConfigPath(c.env), "")
	if _, code, ok := c.parse(cmd, flags, 0); !ok {
		return code
	}
	back, err := config.ParseDuration(since)
	if err != nil {
		return c.misuse(cmd, "--since: "+err.Error())
	}
	cfg, err := loadChecked(c, path)
	if err != nil {
		return c.failed(cmd, err)
	}
	page, err := c.pageLinks(ctx, &in)
	if err != nil {
		return c.failed(cmd, err)
	}
	return c.read(ctx, cmd, &in, func(store *dynamo.Store, _ *config.Config) (int, error) {
		return exitOK, redrive(ctx, cfg, store, page, setup.Now().Add(-back), c.stdout)
	})
}

// judged is the part of the store that a redrive needs.
type judged interface {
	decide.Store
	decide.Stored
}

func redrive(ctx context.Context, cfg *config.Config, store judged, page pageLink, from time.Time, out io.Writer) error {
	d := &decide.Decider{
		Config: cfg, Store: store, Render: channels.Render, Page: page, Log: slog.New(slog.DiscardHandler),
		Now: setup.Now, Sleep: setup.Sleep, Jitter: rand.Float64,
	}
	r, err := d.Redrive(ctx, from, store)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Judged again: %s of %s.\n", count(r.Observations, "observation"), count(r.Incidents, "incident"))
	for _, err := range r.Unreadable {
		fmt.Fprintf(out, "cannot be judged: %v\n", err)
	}
	for _, key := range slices.Sorted(maps.Keys(r.Failed)) {
		fmt.Fprintf(out, "failed again: %v\n", r.Failed[key])
	}
	if n := len(r.Unreadable) + len(r.Failed); n > 0 {
		return fmt.Errorf("%d could not be judged", n)
	}
	return nil
}
