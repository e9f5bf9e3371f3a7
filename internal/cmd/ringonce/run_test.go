package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// ran is what one invocation left behind.
type ran struct {
	code           int
	stdout, stderr string
}

func ringonce(env map[string]string, args ...string) ran {
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), args, &stdout, &stderr, func(name string) string { return env[name] })
	return ran{code, stdout.String(), stderr.String()}
}

const (
	example = "../../../infra/ringonce.yaml"
	bad     = "../../../testdata/config/bad/"
)

// TestCommandLine: what goes where, and what the process exits with. want is a
// part of the only output there may be: help on stdout, complaints on stderr.
func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"", exitUsage, "", "Usage: ringonce COMMAND"},
		{"help", exitOK, "validate   check a configuration", ""},
		{"-h", exitOK, "Usage: ringonce COMMAND", ""},
		{"--help", exitOK, "Usage: ringonce COMMAND", ""},
		{"help validate", exitOK, "Usage: ringonce validate [--deploy] [--explain SOURCE|KEY] [FILE]", ""},
		{"validate -h", exitOK, "Usage: ringonce validate", ""},
		{"help nothing", exitUsage, "", `there is no command "nothing"`},
		{"validat", exitUsage, "", `there is no command "validat" (did you mean "validate"?)`},
		{"frobnicate", exitUsage, "", `there is no command "frobnicate"; ` + "`ringonce help` lists"},
		{"--version", exitOK, "ringonce dev (go", ""},
		{"help validate list", exitUsage, "", `"list" is one argument too many`},
		{"source list --help", exitOK, "Usage: ringonce source list | try", ""},
		{"source list --loud", exitUsage, "", "flag provided but not defined: -loud"},
		{"source list x", exitUsage, "", `"x" is one argument too many`},
		{"help --help", exitOK, "Usage: ringonce help [COMMAND]", ""},
		{"validate --explain sentry-chekout " + example, exitUsage, "", ` (did you mean "sentry-checkout"?)`},
		{"list --older-than soon", exitUsage, "", "--older-than: want a number with a unit"},
		{"list --younger-than soon", exitUsage, "", "--younger-than: want a number with a unit"},
		{"version", exitOK, "ringonce dev (go", ""},
		{"version 2", exitUsage, "", `"2" is one argument too many; see ` + "`ringonce help version`"},
		{"validate --fast", exitUsage, "", "flag provided but not defined: -fast"},
		{"validate a b", exitUsage, "", `"b" is one argument too many`},
		{"validate --explain", exitUsage, "", "flag needs an argument"},
		{"validate no-such-file.yaml", exitProblems, "", "no-such-file.yaml does not exist: give the path"},
		{"validate -- a --fast", exitUsage, "", `"--fast" is one argument too many`},
		{"validate -- --explain", exitProblems, "", "--explain does not exist"},
		{"validate " + example, exitOK, "is usable: environment production, 6 sources, 2 owners, 5 destinations\nconfiguration c1-", ""},
		{"validate --explain nobody " + example, exitUsage, "", `the sources are sentry-checkout, datadog-payments`},
		{"validate --explain k1/error/no=1 " + example, exitUsage, "", `no source makes keys of kind "error" from no`},
	} {
		got := ringonce(nil, strings.Fields(c.args)...)
		if got.code != c.code || !holds(got.stdout, c.stdout) || !holds(got.stderr, c.stderr) {
			t.Errorf("ringonce %s: %+v, want code %d, stdout with %q, stderr with %q", c.args, got, c.code, c.stdout, c.stderr)
		}
	}
}

// holds reports whether an output has the part; without a part it is empty.
func holds(output, part string) bool {
	if part == "" {
		return output == ""
	}
	return strings.Contains(output, part)
}

func TestEveryCommandIsDocumented(t *testing.T) {
	for _, cmd := range commands() {
		out := ringonce(nil, "help", cmd.name).stdout
		if cmd.summary == "" || !strings.HasSuffix(out, "\n") || len(cmd.usage) < 20 || !strings.Contains(out, "Usage: ringonce "+cmd.name) {
			t.Errorf("%s: %q", cmd.name, out)
		}
		for _, line := range strings.Split(out, "\n") {
			if len(line) > 80 {
				t.Errorf("%s: %q is too long for a terminal", cmd.name, line)
			}
		}
	}
}
