package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"strings"
	"text/tabwriter"

	"github.com/ringonce/ringonce/internal/source/preset"
)

func sourceCommand() command {
	cmd := command{
		name: "source", arguments: "list | try [flags] ID|FILE",
		summary: "list the presets, and try one source",
		usage: `list  prints the presets: what they read, and their parameters.

try   polls one source once and prints the request (secrets masked), each page,
      each item's key, status and verdict, what became of the canary, and what a
      poll would write. It writes nothing and tells nobody.

ID is a source of the configuration. FILE holds one source's definition, in the
form of an entry of sources:, where id, owner and operator_action may be left
out.

  --config FILE  the configuration; $RINGONCE_CONFIG, or ringonce.yaml, without
  --from PATH    answers from a recorded body, or a folder of them, in the order
                 of their names, instead of asking the vendor
  --record DIR   keeps each page as DIR/page-001.json and so on, redacted, as a
                 fixture, and the Link header that leads on from it as
                 DIR/page-001.link

jq programs have these functions besides jq's own:

  to_number  a number from a number or a text ("25", "1.5e3"); null for
             null, NaN and the infinities
  to_time    RFC 3339 in UTC, from RFC 3339 with any offset and up to nine
             digits of a second, or from seconds or milliseconds since 1970;
             null for null, an empty text, zero, and the zero time of year 1
  sha1       the SHA-1 of a text, in hex
  $field     what discovery found, by name; null where there is no discovery

JSON inside a text is read with jq's fromjson. Evidence takes counts and times
as vendors write them without any of these.

A program ends after 500,000 steps on an item, or once the process holds more
memory than it may. Numbers have 1000 digits at most, multiplying makes texts of
a megabyte at most, and of a longer text than 64 KB only the head is read.

Exit status: 0 the whole answer was read, 1 it was not, 2 the command was not
understood.
`,
	}
	cmd.run = func(ctx context.Context, c call) int {
		if len(c.args) == 0 {
			return c.misuse(cmd, "say list or try")
		}
		verb := c.args[0]
		c.args = c.args[1:]
		switch verb {
		case "list":
			return listPresets(cmd, c)
		case "try":
			return trySource(ctx, cmd, c)
		case "-h", "-help", "--help":
			cmd.explain(c.stdout)
			return exitOK
		default:
			return c.misuse(cmd, fmt.Sprintf("%q is neither list nor try", verb))
		}
	}
	return cmd
}

// listPresets prints each preset with the first sentence of its file, which says what
// it reads, and its parameters.
func listPresets(cmd command, c call) int {
	if _, code, ok := c.parse(cmd, flag.NewFlagSet(cmd.name, flag.ContinueOnError), 0); !ok {
		return code
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, name := range preset.Names() {
		data, err := fs.ReadFile(preset.FS, name+".yaml")
		if err != nil {
			fmt.Fprintf(c.stderr, "ringonce source: read preset %s: %v\n", name, err)
			return exitProblems
		}
		fmt.Fprintf(w, "%s\t%s\n", name, firstSentence(string(data)))
		for _, p := range paramsOf(data) {
			fmt.Fprintf(w, "\t  %s\n", p)
		}
	}
	if err := w.Flush(); err != nil {
		return exitProblems
	}
	return exitOK
}

// firstSentence returns the first sentence of a preset's file.
func firstSentence(file string) string {
	paragraph, _, _ := strings.Cut(file, "\n#\n")
	sentence, _, _ := strings.Cut(strings.Join(strings.Fields(strings.ReplaceAll(paragraph, "#", " ")), " "), ". ")
	return strings.TrimSuffix(sentence, ".") + "."
}
