// Command ringonce is Ringonce on a person's machine: it checks and explains a
// configuration, and runs the functions without AWS. `ringonce help` lists
// everything.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	// Windows of silences go by a time zone's clocks; a machine may know none.
	_ "time/tzdata"
)

func main() {
	// Ctrl-C ends a command that runs until told to; a second one ends the
	// process at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv))
}
