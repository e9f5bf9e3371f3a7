package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/local/engine"
)

// TestOutsideOfACheckout: a command that needs more than itself names all that is
// missing, where it was looked for and what to do, before it does anything.
func TestOutsideOfACheckout(t *testing.T) {
	checkout, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", "")
	if path, err := engine.Find("", dir); err == nil {
		t.Skipf("there is an engine above the temporary folder: %s", path)
	}
	if err := os.WriteFile("ringonce.yaml", []byte(strings.ReplaceAll(whole, "ssm:", "file:")), 0o600); err != nil {
		t.Fatal(err)
	}
	const (
		template  = "there is no template.yaml in " // and the folder
		functions = "there are no functions in build/local/functions: build them with `make local` in a checkout of Ringonce, or name their folder with --functions"
		tables    = "the local DynamoDB engine is not installed: there is no .tools/node_modules/@dynoxide/*/dynoxide in "
		testdata  = "there are no recorded vendors in testdata: name the folder testdata of a checkout of Ringonce with --testdata"
	)
	given := " --template " + checkout + "/template.yaml"
	for _, c := range []struct {
		args string
		want []string
	}{
		{"run", []string{template + dir + ": ", "name it with --template", functions, tables + dir + " or above it: ", "make tools-engine", "--engine"}},
		{"run" + given, []string{"build/local/functions has no poll, decide, deliver, sweep, ", tables}},
		{"run --engine nowhere" + given, []string{"the DynamoDB engine given as nowhere"}},
		{"demo", []string{template, functions, tables, testdata}},
		{"demo --testdata " + checkout + "/testdata" + given, []string{"has no poll, decide, deliver, sweep, ", tables}},
		{"invoke", []string{"there are no events in events: name the folder events of a checkout of Ringonce with --events"}},
		{"invoke --function poll --event x", []string{template, functions, tables}},
		{"eval", []string{"testdata/traces", "--traces"}},
		{"preview --html -", []string{"testdata/golden", "--goldens"}},
	} {
		if strings.HasPrefix(c.args, "run"+given) || strings.HasPrefix(c.args, "demo --testdata") {
			if err := os.MkdirAll("build/local/functions", 0o700); err != nil {
				t.Fatal(err)
			}
		} else if err := os.RemoveAll("build"); err != nil {
			t.Fatal(err)
		}
		got := ringonce(nil, strings.Fields(c.args)...)
		for _, want := range c.want {
			if got.code == exitOK || !strings.Contains(got.stderr, want) || got.stdout != "" {
				t.Errorf("ringonce %s: %+v, want %q", c.args, got, want)
			}
		}
	}
	if _, err := os.Stat(".state"); err == nil {
		t.Error("what could not run made a state directory")
	}
}
