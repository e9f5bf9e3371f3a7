package main

import (
	"context"
	"fmt"
	"io"
)

// The exit statuses of the process.
const (
	exitOK       = 0
	exitProblems = 1
	exitUsage    = 2
)

// call is one invocation of a command, with everything that it may use.
type call struct {
	args   []string
	stdout io.Writer
	stderr io.Writer
	env    func(string) string
}

// command is one subcommand. `ringonce help NAME` prints a first line of name and
// arguments, and usage below it.
type command struct {
	name      string
	arguments string
	summary   string
	usage     string
	run       func(context.Context, call) int
}

// commands returns the subcommands, in the order that help lists them.
func commands() []command {
	return []command{
		demoCommand(),
		runCommand(),
		explainCommand(),
		listCommand(),
		statusCommand(),
		usageCommand(),
		reportCommand(),
		silenceCommand(),
		ackCommand(),
		validateCommand(),
		backtestCommand(),
		keysCommand(),
		evalCommand(),
		sourceCommand(),
		deliveriesCommand(),
		redriveCommand(),
		smokeCommand(),
		previewCommand(),
		invokeCommand(),
		versionCommand(),
		helpCommand(),
	}
}

// run runs the command line and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, env func(string) string) int {
	c := call{stdout: stdout, stderr: stderr, env: env}
	if len(args) == 0 {
		overview(stderr)
		return exitUsage
	}
	name := args[0]
	c.args = args[1:]
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	case "-v", "-version", "--version":
		name = "version"
	}
	cmd, ok := find(name)
	if !ok {
		unknown(stderr, name)
		return exitUsage
	}
	return cmd.run(ctx, c)
}

func find(name string) (command, bool) {
	for _, cmd := range commands() {
		if cmd.name == name {
			return cmd, true
		}
	}
	return command{}, false
}

func unknown(w io.Writer, name string) {
	var names []string
	for _, cmd := range commands() {
		names = append(names, cmd.name)
	}
	fmt.Fprintf(w, "ringonce: there is no command %q%s; `ringonce help` lists what there is\n", name, suggestion(name, names))
}
