package main

import (
	"context"
	"io"
	"slices"

	"github.com/ringonce/ringonce/internal/replay"
)

func backtestCommand() command {
	cmd := command{
		name:      "backtest",
		arguments: "[flags] TRACE... [FIELD=VALUES...]",
		summary:   "try policies on history: what they would have told, and how well",
		usage: `Replays traces (.csv or .jsonl, also .gz) or recorded observations through the
decisions that run live, and scores what a policy would have told. It sends
nothing and, over traces, needs no AWS. The same input gives the same bytes.

  ringonce backtest month.jsonl --set cooldown=1h
  ringonce backtest --recorded --live --sweep cooldown=15m,1h --html report.html
  ringonce backtest --recorded --stack ringonce-production --live
  ringonce backtest month.jsonl --sweep cooldown=5m,1h healthy_required=1..5

What to try:
  --policy FILE         a base policy as JSON; a field it lacks has its default
  --set FIELD=VALUE     one field of the base policy; may be repeated
  --live                the configuration's policies, by source, as the base
  --config FILE         the configuration; else $RINGONCE_CONFIG, ringonce.yaml
  --sweep FIELD=VALUES  all values of a field, 5m,15m,1h or 1..5; more fields
                        may follow as arguments
On what:
  --recorded            the observations that a deployment has recorded
  --state DIR           the local state that "ringonce run" keeps; by default
                        .state. It may be running
  --stack NAME          the tables of a deployed stack instead, with the AWS
                        credentials and region of the environment
  --engine PATH         the DynamoDB engine's binary; by default under .tools
What to show:
  --html FILE           a self-contained page with charts and time lines
  --json FILE           the report as JSON; - is standard output
  --notices FILE        every notice of the base policy, one JSON object a line
  --timelines N         how many keys to draw, the busiest first; by default 12
  --all                 also policies that another beats on every score
  --late-after TIME     when an open counts as late; by default 5m
  --price CHANNEL=AMOUNT
                        the price of one message; may be repeated. With --live
                        the default is what the configuration says
  --channels OWNER=CHANNEL,CHANNEL
                        where an owner is told; with --live, as configured
  --currency NAME       what prices are in
  --quiet               no progress
  --workers N           how many processors to use; 0 is all

AWS_ENDPOINT_URL_DYNAMODB brings another engine; its tables are named after
--stack, or ringonce. --recorded reads every incident's row and all stored
observations, 1 MB a request.
`,
	}
	cmd.run = replaying(cmd, replay.Tools.Backtest)
	return cmd
}

func keysCommand() command {
	cmd := command{
		name: "keys", arguments: "[flags] FILE...|--recorded",
		summary: "check recorded incident keys: too fine, too coarse",
		usage: `Reads recorded observations (.jsonl or .csv, also .gz) and reports how many
values each part of the incident keys has; parts that identify requests rather
than incidents; and keys that lump unrelated owners, stages or groups together.
Exits with 1 when a limit is broken.

  --recorded             the observations that a deployment has recorded
  --state DIR            the local state that "ringonce run" keeps; by default
                         .state. It may be running
  --stack NAME           the tables of a deployed stack instead, with the AWS
                         credentials and region of the environment
  --engine PATH          the DynamoDB engine's binary; by default under .tools
  --max-keys N           how many different keys are too many
  --max-values N         how many different values of one part are too many
  --max-new-per-day N    how many new values of one part a day are too many
  --max-groups N         how many groups of the vendor in one key are suspicious
  --examples N           how many values of each part to show
  --strict               warnings break the limits too
  --json                 the report as JSON

A part of type text loses what changes from one event to the next:

  mail addresses    jane@example.com not found            {email} not found
  UUIDs             7f9c24e5-2f3a-4d1b-9c3e-0a1b2c3d4e5f  {uuid}
  times and dates   2026-01-02T03:04:05Z, Jan 2, 23:59    {time}, {time}, {time}
  IP addresses      10.0.12.7:5432, 2001:db8::ff00:42     {ip}, {ip}
  0x numbers        0xc000123abc                          {hex}
  pods' names       checkout-5d4f8c7b9k-zq9lm             checkout-{id}
  ids with a kind   req_8fGk2LmPqR, sk_test_4eC39HqLyj    req_{id}, sk_test_{id}
  long random ids   01HZX3V8Q4T9W2K7M5N6P0R1S2            {id}
  hex runs          9fceb02d0ae598e9, 9fceb02             {n}, {n}
  numbers           1711.36ms, order12345, 503            {n}ms, order{n}, {n}
  ids in paths      /users/123456/orders/9f8e7d6c5b       /users/{n}/orders/{n}

Short names stay: s3, server5, A1001. A part of type id stays as it is, but for
mail addresses and secrets: use it for hosts, regions and status codes.
`,
	}
	cmd.run = replaying(cmd, replay.Tools.Keys)
	return cmd
}

func evalCommand() command {
	cmd := command{
		name: "eval", arguments: "[flags]",
		summary: "score the shipped policies on the shipped traces",
		usage: `Runs the shipped policies over the shipped traces and exits with 1 when a score
is worse than the committed expectation.

  --traces DIR       the traces; by default testdata/traces
  --expected FILE    the expectation; by default expected.json beside the traces
  --update           write the scores as the new expectation
`,
	}
	cmd.run = func(_ context.Context, c call) int {
		if asksForHelp(c.args) {
			cmd.explain(c.stdout)
			return exitOK
		}
		return replay.EvalCommand(c.args, c.stdout, c.stderr)
	}
	return cmd
}

type replayCommand func(tools replay.Tools, args []string, stdout, stderr io.Writer) int

// replaying runs one of package replay's commands over a deployment.
func replaying(cmd command, what replayCommand) func(context.Context, call) int {
	return func(ctx context.Context, c call) int {
		if asksForHelp(c.args) {
			cmd.explain(c.stdout)
			return exitOK
		}
		d := &deployment{call: c}
		return d.close(what(d.tools(ctx), c.args, c.stdout, c.stderr))
	}
}

// asksForHelp reports a help flag before the end of the arguments.
func asksForHelp(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.ContainsFunc(args, func(a string) bool { return a == "-h" || a == "-help" || a == "--help" })
}
