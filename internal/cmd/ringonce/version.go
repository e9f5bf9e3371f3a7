package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
)

// version is set when a release is built: -ldflags "-X main.version=v1.2.3".
var version = "dev"

func versionCommand() command {
	cmd := command{
		name: "version", summary: "print the version",
		usage: "Prints the version, the Go version it was built with and the platform.\n",
	}
	cmd.run = func(_ context.Context, c call) int {
		if _, code, ok := c.parse(cmd, flag.NewFlagSet(cmd.name, flag.ContinueOnError), 0); !ok {
			return code
		}
		fmt.Fprintf(c.stdout, "ringonce %s (%s %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return exitOK
	}
	return cmd
}
