package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/local/live"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/source/preset"
)

func runCommand() command {
	cmd := command{
		name:      "run",
		arguments: "[--config FILE] [--state DIR] [--pages ADDRESS] [--verbose]",
		summary:   "run on a configuration against live vendors, Slack and SES, until Ctrl-C",
		usage: `Runs the functions as processes on this machine, by its clock, over a local
DynamoDB engine whose state is kept in a directory, until Ctrl-C. A new start on
the same state goes on where the last one ended.

  --config FILE     the configuration; else $RINGONCE_CONFIG or ringonce.yaml
  --state DIR       where state is kept; by default .state
  --pages ADDRESS   serve incident pages on this loopback address, such as
                    127.0.0.1:7480, and put a link to them into each message;
                    $RINGONCE_PAGE_SECRET may refer to what links are signed
                    with, else the state has a secret of its own
  --verbose         show every observation, and decisions that tell nobody
  --functions DIR   the folder with each function's bootstrap
  --engine PATH     the DynamoDB engine's binary; by default under .tools
  --template FILE   the SAM template

Secrets as env:NAME come from this command's environment. Mail needs AWS
credentials and a region. AWS_ENDPOINT_URL_DYNAMODB brings another engine, or
AWS itself, in place of the local one.
`,
	}
	cmd.run = func(ctx context.Context, c call) int { return runLive(ctx, cmd, c) }
	return cmd
}

func runLive(ctx context.Context, cmd command, c call) int {
	o := live.Options{Out: c.stdout, Environ: os.Environ()}
	flags := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	flags.StringVar(&o.ConfigPath, "config", setup.ConfigPath(c.env), "")
	flags.StringVar(&o.StateDir, "state", ".state", "")
	flags.StringVar(&o.FunctionsDir, "functions", "build/local/functions", "")
	flags.StringVar(&o.Engine, "engine", "", "")
	flags.StringVar(&o.Template, "template", "template.yaml", "")
	flags.StringVar(&o.Pages, "pages", "", "")
	flags.BoolVar(&o.Verbose, "verbose", false, "")
	if _, code, ok := c.parse(cmd, flags, 0); !ok {
		return code
	}
	cfg, err := loadChecked(c, o.ConfigPath)
	if err != nil {
		return c.failed(cmd, err)
	}
	o.Config = cfg
	if err := live.Run(ctx, o); err != nil {
		return c.failed(cmd, err)
	}
	return exitOK
}

// loadChecked reads a configuration with all checks of validate, and prints every
// problem.
func loadChecked(c call, path string) (*config.Config, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s: name yours with --config FILE or $%s, or start from infra/ringonce.yaml", path, setup.ConfigVar)
	}
	data, err := config.ReadFile(path)
	if err != nil {
		return nil, err
	}
	draft := config.Read(path, data, preset.FS)
	problems := append(draft.Problems, checkSources(path, draft)...).Sorted(path)
	for _, p := range problems {
		fmt.Fprintln(c.stderr, p)
	}
	if len(problems.Of(config.Mistake)) > 0 {
		return nil, fmt.Errorf("%s is not usable: correct what is said above, or name another with --config", path)
	}
	return draft.Config, nil
}
