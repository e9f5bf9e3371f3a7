package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/ringonce/ringonce/internal/config"
)

// parse parses a command's flags, which may precede and follow its other arguments,
// and returns those, at most limit of them. If ok is false the command is done, with
// the exit status code.
func (c call) parse(cmd command, flags *flag.FlagSet, limit int) (rest []string, code int, ok bool) {
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	args := c.args
	for {
		switch err := flags.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			cmd.explain(c.stdout)
			return nil, exitOK, false
		case err != nil:
			return nil, c.misuse(cmd, err.Error()), false
		}
		left := flags.Args()
		if len(left) == 0 {
			break
		}
		if used := len(args) - len(left); used > 0 && args[used-1] == "--" {
			rest = append(rest, left...)
			break
		}
		rest, args = append(rest, left[0]), left[1:]
	}
	if len(rest) > limit {
		return nil, c.misuse(cmd, fmt.Sprintf("%q is one argument too many", rest[limit])), false
	}
	return rest, exitOK, true
}

// suggestion asks about the word that was probably meant, to follow a complaint.
func suggestion(written string, known []string) string {
	if near := config.Nearest(written, known); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// misuse reports what is wrong with the command line and where help is.
func (c call) misuse(cmd command, what string) int {
	fmt.Fprintf(c.stderr, "ringonce %s: %s; see `ringonce help %s`\n", cmd.name, what, cmd.name)
	return exitUsage
}
