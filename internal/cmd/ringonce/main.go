// Command ringonce is Ringonce on a person's machine: it checks and explains a
// configuration, and runs the functions without AWS. `ringonce help` lists all
// commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	// Windows of silences follow a time zone's clocks; a machine may have no time
	// zone database.
	_ "time/tzdata"
)

func main() {
	// Ctrl-C ends a command that runs until interrupted; a second one kills the
	// process.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv))
}
