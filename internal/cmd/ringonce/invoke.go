package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/ringonce/ringonce/internal/local/invoke"
)

func invokeCommand() command {
	cmd := command{
		name:      "invoke",
		arguments: "[--function NAME --event FILE]",
		summary:   "run a function with a recorded event under AWS's runtime emulator",
		usage: `Runs a function's bootstrap with an event under the Lambda runtime interface
emulator, against a local DynamoDB engine with empty tables, and checks its
answer; without a function and an event, every function with every event.
Run it through "make invoke" or "make invoke-all". Linux only.

  --function NAME   the function, such as poll
  --event FILE      the event, such as events/poll/scheduled.json
  --events DIR      the folder with all events
  --measure N       instead, start each function N times and compare the median
                    with that of an empty one with the same SDK clients
  --empty DIR       the folder with each function's empty one
  --emulator PATH   the emulator's binary
  --config FILE     the configuration that the functions read
  --env NAME=VALUE  what the functions' environment holds beside; repeatable
  --functions DIR   the folder with each function's bootstrap
  --engine PATH     the DynamoDB engine's binary; by default under .tools
  --template FILE   the SAM template
`,
	}
	cmd.run = func(ctx context.Context, c call) int { return runInvoke(ctx, cmd, c) }
	return cmd
}

// slowestStart is how many times as long as an empty function's a start may
// take.
const slowestStart = 1.3

func runInvoke(ctx context.Context, cmd command, c call) int {
	o := invoke.Options{Out: c.stdout}
	var one invoke.Event
	flags := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	flags.StringVar(&one.Function, "function", "", "")
	flags.StringVar(&one.Path, "event", "", "")
	events := flags.String("events", "events", "")
	measure := flags.Int("measure", 0, "")
	empty := flags.String("empty", "build/local/empty", "")
	flags.StringVar(&o.Emulator, "emulator", "aws-lambda-rie", "")
	flags.StringVar(&o.Config, "config", "testdata/invoke/ringonce.yaml", "")
	flags.Func("env", "", func(v string) error {
		o.Env = append(o.Env, v)
		return nil
	})
	flags.StringVar(&o.FunctionsDir, "functions", "build/local/functions", "")
	flags.StringVar(&o.Engine, "engine", "", "")
	flags.StringVar(&o.Template, "template", "template.yaml", "")
	if _, code, ok := c.parse(cmd, flags, 0); !ok {
		return code
	}
	all := []invoke.Event{one}
	switch {
	case one == (invoke.Event{}):
		var err error
		if all, err = invoke.Events(*events); err != nil {
			fmt.Fprintln(c.stderr, "ringonce invoke:", err)
			return exitProblems
		}
	case one.Function == "" || one.Path == "":
		fmt.Fprintln(c.stderr, "ringonce invoke: give both --function and --event, or neither for all")
		return exitUsage
	}
	run := func() error { return invoke.Run(ctx, o, all) }
	if *measure > 0 {
		run = func() error { return invoke.Measure(ctx, o, *empty, invoke.First(all), *measure, slowestStart) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(c.stderr, "ringonce invoke:", err)
		return exitProblems
	}
	return exitOK
}
