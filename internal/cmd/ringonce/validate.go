package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/source/preset"
)

func validateCommand() command {
	cmd := command{
		name: "validate", arguments: "[--deploy] [--explain SOURCE|KEY] [FILE]", summary: "check a configuration, and explain a source's policy",
		usage: `Checks a configuration and prints everything that is wrong with it, one problem
a line: file, line and column, the field, what is wrong; what to do.

FILE is $RINGONCE_CONFIG, or ringonce.yaml, unless it is given.

  --deploy          it is to be deployed: every secret must be where a function
                    can read it, which is below a path of the Parameter Store
  --explain SOURCE  print each value of the source's policy and which layer set
                    it: built-in defaults < policy < owner < source
  --explain KEY     the same for every source that can speak for an incident
                    key, such as k1/error/issue=4321

It asks nobody and reads no secret. Exit status: 0 usable (warnings may be
printed), 1 not usable, 2 the command was not understood.
`,
	}
	cmd.run = func(_ context.Context, c call) int { return validate(cmd, c) }
	return cmd
}

func validate(cmd command, c call) int {
	flags := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	source := flags.String("explain", "", "")
	deploy := flags.Bool("deploy", false, "")
	args, code, ok := c.parse(cmd, flags, 1)
	if !ok {
		return code
	}
	path := setup.ConfigPath(c.env)
	if len(args) > 0 {
		path = args[0]
	}
	data, err := config.ReadFile(path)
	if err != nil {
		fmt.Fprintf(c.stderr, "ringonce validate: %v\n", err)
		return exitProblems
	}
	draft := config.Read(path, data, preset.FS)
	problems := append(draft.Problems, checkSources(path, draft)...).Sorted(path)
	for _, p := range problems {
		fmt.Fprintln(c.stdout, p)
	}
	mistakes := len(problems.Of(config.Mistake))
	if *deploy {
		for _, r := range unreachable(draft.Config) {
			mistakes++
			fmt.Fprintf(c.stdout, "%s: %s: no deployed function has it; store it with `aws ssm put-parameter --type SecureString`, and write ssm:/ringonce/… instead\n", path, r)
		}
	}
	if mistakes > 0 {
		fmt.Fprintf(c.stdout, "%s is not usable: %s\n", path, count(mistakes, "problem"))
		return exitProblems
	}
	if *source != "" {
		return explainPolicy(cmd, c, draft, *source)
	}
	summarise(c.stdout, path, draft.Config)
	return exitOK
}

// unreachable returns the secrets that no function can read, whatever the template's
// SecretPrefix: those of this machine, and parameters whose names have no path.
func unreachable(cfg *config.Config) []string {
	all := append(cfg.SourceSecrets(), cfg.DestinationSecrets()...)
	slices.Sort(all)
	return slices.Compact(slices.DeleteFunc(all, func(r string) bool {
		return strings.HasPrefix(r, "ssm:/") && strings.Count(r, "/") > 1
	}))
}

func summarise(w io.Writer, path string, cfg *config.Config) {
	fmt.Fprintf(w, "%s is usable: environment %s, %s, %s, %s\nconfiguration %s\n", path, cfg.Environment,
		count(len(cfg.Sources), "source"), count(len(cfg.Owners), "owner"), count(len(cfg.Written()), "destination"), cfg.Hash)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
