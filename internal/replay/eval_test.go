package replay

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const shippedTraces = "../../testdata/traces"

func evalIn(args []string, out, errs *bytes.Buffer) int { return EvalCommand(args, out, errs) }

// The shipped policies are on the shipped traces as good as they were: what
// "make eval" runs.
func TestShippedPoliciesAsExpected(t *testing.T) {
	stdout, _ := run(t, evalIn, exitOK, "--traces", shippedTraces)
	if !strings.Contains(stdout, "all as") {
		t.Errorf("scores are better than expected.json says; keep them so:\n%s", stdout)
	}
}

// A change for the worse in any score fails the evaluation.
func TestEvalFailsOnAWorseScore(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(shippedTraces, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var e Expectation
	if err := json.Unmarshal(content, &e); err != nil {
		t.Fatal(err)
	}
	*e["flapping.jsonl"]["default"]["duplicate_opens"] -= 1
	*e["flapping.jsonl"]["default"]["notices"] += 1
	path := filepath.Join(t.TempDir(), "expected.json")
	if err := writeExpectation(path, e); err != nil {
		t.Fatal(err)
	}
	stdout, _ := run(t, evalIn, exitBreach, "--traces", shippedTraces, "--expected", path)
	for _, want := range []string{"worse:  flapping.jsonl, default: duplicate_opens is ", "better: flapping.jsonl, default: notices", "1 scores are worse"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
}

func TestEvalUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "expected.json")
	run(t, evalIn, exitUsage, "--traces", shippedTraces, "--expected", path)
	run(t, evalIn, exitOK, "--traces", shippedTraces, "--expected", path, "--update")
	run(t, evalIn, exitOK, "--traces", shippedTraces, "--expected", path)
	run(t, evalIn, exitUsage, "--traces", t.TempDir())
	run(t, evalIn, exitUsage, "--traces", filepath.Join(t.TempDir(), "nowhere"))
	run(t, evalIn, exitUsage, "extra")
	run(t, evalIn, exitUsage, "--traces", shippedTraces, "--expected", write(t, "e.json", "[]"))
}

func TestCompare(t *testing.T) {
	n := func(v float64) *float64 { return &v }
	one := func(v *float64) Expectation {
		return Expectation{"t": {"p": {"s": v}}}
	}
	for _, c := range []struct {
		name          string
		got, want     Expectation
		worse, better int
	}{
		{"equal", one(n(1)), one(n(1)), 0, 0},
		{"worse", one(n(2)), one(n(1)), 1, 0},
		{"better", one(n(0)), one(n(1)), 0, 1},
		{"both undefined", one(nil), one(nil), 0, 0},
		{"undefined now", one(nil), one(n(1)), 1, 0},
		{"defined now", one(n(1)), one(nil), 1, 0},
		{"not evaluated", Expectation{}, one(n(1)), 1, 0},
		{"not expected", one(n(1)), Expectation{}, 1, 0},
	} {
		worse, better := Compare(c.got, c.want)
		if len(worse) != c.worse || len(better) != c.better {
			t.Errorf("%s: worse %q, better %q", c.name, worse, better)
		}
	}
}
