package main

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/dynamo"
)

func statusCommand() command {
	cmd := command{
		name:      "status",
		arguments: "",
		summary:   "say how polls and deliveries stand, and what needs a person",
		usage: `Says when each source was last polled and what came out, what waits for each
destination, what was held or given up, and when each function last worked. It
reads every incident's row and the whole outbox, 1 MB a request.

Exit status: 0 nothing needs a person, 1 something does: a source that was not
polled for three intervals or did not bring everything, a message that has
waited for 15 minutes, one that was given up within a day, a destination that
refuses everything or whose secret cannot be read, a function that does not
follow the one before it.
` + storedUsage,
	}
	cmd.run = func(ctx context.Context, c call) int { return runStatus(ctx, cmd, c) }
	return cmd
}

func runStatus(ctx context.Context, cmd command, c call) int {
	var s stored
	if _, code, ok := c.parse(cmd, s.define(cmd.name), 0); !ok {
		return code
	}
	return c.read(ctx, cmd, &s, func(store *dynamo.Store, cfg *config.Config) (int, error) {
		x, err := c.explainer(ctx, store, cfg)
		if err != nil {
			return exitProblems, err
		}
		rep, err := x.Status(ctx, store, time.Now())
		if err != nil {
			return exitProblems, err
		}
		code := exitOK
		if len(rep.Problems) > 0 {
			code = exitProblems
		}
		if s.json {
			return code, writeJSON(c.stdout, rep)
		}
		return code, rep.WriteText(c.stdout)
	})
}
