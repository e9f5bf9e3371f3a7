package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/ringonce/ringonce/internal/local/demo"
)

func demoCommand() command {
	return command{
		name:      "demo",
		arguments: "[--testdata DIR] [--state DIR]",
		summary:   "play a story of three vendors on this machine and check every message",
		usage: `Starts a local DynamoDB engine, the functions as real processes, and local
servers in place of the vendors, Slack and SES; plays a story of twenty ticks,
and compares what arrived with what was expected. Needs no account. Exits with
0 only when every expected message arrived exactly once and no other did.
Run it through "make demo", which builds and installs what it needs.

  --functions DIR   the folder with each function's bootstrap
  --engine PATH     the DynamoDB engine's binary; by default under .tools
  --template FILE   the SAM template
  --testdata DIR    the folder with the recorded vendor bodies
  --state DIR       keep what was stored and the configuration in DIR, for
                    "ringonce explain --state DIR --config DIR/ringonce.yaml"
`,
		run: runDemo,
	}
}

func runDemo(ctx context.Context, c call) int {
	o := demo.Options{Out: c.stdout}
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.StringVar(&o.FunctionsDir, "functions", "build/local/functions", "")
	flags.StringVar(&o.Engine, "engine", "", "")
	flags.StringVar(&o.Template, "template", "template.yaml", "")
	flags.StringVar(&o.Testdata, "testdata", "testdata", "")
	flags.StringVar(&o.StateDir, "state", "", "")
	if _, code, ok := c.parse(demoCommand(), flags, 0); !ok {
		return code
	}
	switch err := demo.Run(ctx, o); {
	case err == nil:
		return exitOK
	case errors.Is(err, demo.ErrUnexpected):
		// The report has said it already.
		return exitProblems
	default:
		fmt.Fprintln(c.stderr, "ringonce demo:", err)
		return exitProblems
	}
}
