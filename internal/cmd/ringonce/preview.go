package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/ringonce/ringonce/internal/local/preview"
)

func previewCommand() command {
	cmd := command{
		name:      "preview",
		arguments: "--html FILE [--goldens DIR]",
		summary:   "draw every kind of message, for Slack and mail, on one page",
		usage: `Draws the messages that the tests hold every change to, as a reader sees them:
Slack's look approximated, mails by day and by night and as plain text. The page
needs nothing else, and nobody is told anything.

  --html FILE       write the page there, "-" for stdout
  --goldens DIR     the folder with the messages; by default testdata/golden
`,
	}
	cmd.run = func(_ context.Context, c call) int { return runPreview(cmd, c) }
	return cmd
}

func runPreview(cmd command, c call) int {
	flags := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	page := flags.String("html", "", "")
	goldens := flags.String("goldens", "testdata/golden", "")
	if _, code, ok := c.parse(cmd, flags, 0); !ok {
		return code
	}
	if *page == "" {
		return c.misuse(cmd, "say where to write the page: --html FILE")
	}
	all, err := preview.Load(*goldens)
	if err != nil {
		return c.failed(cmd, err)
	}
	var b bytes.Buffer
	if err := preview.Write(&b, all); err != nil {
		return c.failed(cmd, err)
	}
	if *page == "-" {
		_, err = c.stdout.Write(b.Bytes())
	} else if err = os.WriteFile(*page, b.Bytes(), 0o644); err == nil {
		fmt.Fprintf(c.stdout, "%s: %d messages, %d bytes\n", *page, len(all), b.Len())
	}
	if err != nil {
		return c.failed(cmd, err)
	}
	return exitOK
}
