package main

import (
	"context"
	"flag"
	"fmt"
	"io"
)

func helpCommand() command {
	cmd := command{
		name: "help", arguments: "[COMMAND]", summary: "explain a command",
		usage: "Explains a command, or lists them all.\n",
	}
	cmd.run = func(_ context.Context, c call) int { return help(cmd, c) }
	return cmd
}

func help(cmd command, c call) int {
	args, code, ok := c.parse(cmd, flag.NewFlagSet(cmd.name, flag.ContinueOnError), 1)
	if !ok {
		return code
	}
	if len(args) == 0 {
		overview(c.stdout)
		return exitOK
	}
	about, ok := find(args[0])
	if !ok {
		unknown(c.stderr, args[0])
		return exitUsage
	}
	about.explain(c.stdout)
	return exitOK
}

func overview(w io.Writer) {
	fmt.Fprint(w, "Ringonce polls the monitoring you have and tells each incident once.\n\nUsage: ringonce COMMAND [flags] [arguments]\n\n")
	for _, cmd := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", cmd.name, cmd.summary)
	}
	fmt.Fprint(w, "\n`ringonce help COMMAND` explains one of them.\nExit status: 0 all is well, 1 problems were found, 2 the command was not understood.\n")
}

// explain prints a command's own help.
func (cmd command) explain(w io.Writer) {
	line := "Usage: ringonce " + cmd.name
	if cmd.arguments != "" {
		line += " " + cmd.arguments
	}
	fmt.Fprintf(w, "%s\n\n%s", line, cmd.usage)
}
