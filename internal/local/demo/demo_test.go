package demo_test

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/demo"
	"github.com/ringonce/ringonce/internal/local/story"
)

// functions builds every function as `make local` does.
func functions(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	sources, err := filepath.Glob("../../../functions/*/main.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no functions to build: %v", err)
	}
	for _, main := range sources {
		name := filepath.Base(filepath.Dir(main))
		build := exec.CommandContext(t.Context(), "go", "build", "-tags", "lambda.norpc", "-o", filepath.Join(dir, name, "bootstrap"), "./functions/"+name)
		build.Dir = "../../.."
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", name, err, out)
		}
	}
	return dir
}

func run(ctx context.Context, dir, state string, steps []story.Step, after after) (string, error) {
	var out bytes.Buffer
	err := demo.Run(ctx, demo.Options{
		Template: "../../../template.yaml", FunctionsDir: dir, Testdata: "../../../testdata", Out: &out, Steps: steps, After: after, StateDir: state,
	})
	return out.String(), err
}

// TestTheWholeStory is the end-to-end test: function processes, streams and
// tables as in AWS, with every worker killed in the middle.
func TestTheWholeStory(t *testing.T) {
	dir := functions(t)
	state := filepath.Join(t.TempDir(), "state")
	out, err := run(t.Context(), dir, state, nil, equalsItsBacktest(t))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"429", "partial", "killed    every worker process", "was polled already",
		"open pending, attempt 1 (500 rollup_error)", "healthy_streak 1/2", "cooldown_active",
		"18 messages expected, 18 arrived. Every expected message arrived exactly once",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the output does not show %q", want)
		}
	}
	for _, secret := range []string{"sntrys_demo", "/services/"} {
		if strings.Contains(out, secret) {
			t.Errorf("the output shows the secret %q", secret)
		}
	}
	if strings.Contains(out, "\x1b[") {
		t.Error("the output is coloured although it is no terminal")
	}
	t.Run("everything is found from one Slack message", func(t *testing.T) { testFromOneMessage(t, state, out) })
	t.Run("a missing and a surplus message are found", func(t *testing.T) {
		failing := story.World{Sentry: []string{story.SentryTool}}
		out, err := run(t.Context(), dir, "", []story.Step{
			{Title: "told, but not expected", World: failing},
			{Title: "expected, but not told", World: failing, Told: []story.Telling{{Thing: story.HostDown, Action: incident.Open}}},
		}, nil)
		if !errors.Is(err, demo.ErrUnexpected) || strings.Count(out, "WRONG") != 3 {
			t.Errorf("%v\n%s", err, out)
		}
	})
}
