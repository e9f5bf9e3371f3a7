package replay

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ringonce/ringonce/internal/replay/trace"
)

const evalUsage = `Usage: ringonce eval [flags]

Runs the shipped policies over the shipped traces and fails when a score is
worse than the committed expectation.

Flags:
`

// Expectation holds the committed scores by trace, policy and score. An undefined
// score is null.
type Expectation map[string]map[string]map[string]*float64

// EvalCommand runs the command "eval". It returns the exit status: 1 if a score is
// worse than expected, or is not expected at all.
func EvalCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("eval", evalUsage, stderr)
	dir := fs.String("traces", "testdata/traces", "evaluate the traces in this `DIRECTORY`")
	file := fs.String("expected", "", "the expectation `FILE`; expected.json beside the traces when not given")
	update := fs.Bool("update", false, "write the scores as the new expectation")
	err := parseMixed(fs, args, func(arg string) error {
		return fmt.Errorf("%q: eval takes flags only", arg)
	})
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if *file == "" {
		*file = filepath.Join(*dir, "expected.json")
	}
	breach := false
	if err == nil {
		breach, err = eval(*dir, *file, *update, stdout)
	}
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "ringonce eval: %v\n", err)
		return exitUsage
	case breach:
		return exitBreach
	default:
		return exitOK
	}
}

func eval(dir, file string, update bool, w io.Writer) (breach bool, err error) {
	got, err := Evaluate(dir, Shipped())
	if err != nil {
		return false, err
	}
	if update {
		fmt.Fprintf(w, "wrote the scores of %d traces to %s\n", len(got), file)
		return false, writeExpectation(file, got)
	}
	want, err := readExpectation(file)
	if err != nil {
		return false, err
	}
	worse, better := Compare(got, want)
	for _, line := range worse {
		fmt.Fprintln(w, "worse: ", line)
	}
	for _, line := range better {
		fmt.Fprintln(w, "better:", line)
	}
	switch {
	case len(worse) > 0:
		fmt.Fprintf(w, "\n%d scores are worse than %s expects. If that is meant, write them with --update and say why.\n", len(worse), file)
	case len(better) > 0:
		fmt.Fprintf(w, "\n%d scores are better than %s expects: keep them so with --update.\n", len(better), file)
	default:
		fmt.Fprintf(w, "%d traces, %d policies, %d scores each: all as %s expects\n", len(got), len(Shipped()), len(Scores()), file)
	}
	return len(worse) > 0, nil
}

// Evaluate scores the candidates on every trace of a directory separately.
func Evaluate(dir string, candidates []Candidate) (Expectation, error) {
	names, err := traceNames(dir)
	if err != nil {
		return nil, err
	}
	all := make(Expectation)
	for _, name := range names {
		files := trace.Files{Paths: []string{filepath.Join(dir, name)}}
		result, err := Run(files.Rows(), candidates, Options{})
		if err != nil {
			return nil, err
		}
		all[name] = make(map[string]map[string]*float64)
		for _, a := range NewReport(result, nil, DefaultLateAfter, DefaultPricing()).Policies {
			all[name][a.Name] = a.Scores
		}
	}
	return all, nil
}

func traceNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("look for traces: %w; name the folder testdata/traces of a checkout of Ringonce with --traces", err)
	}
	var names []string
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".gz")
		if strings.HasSuffix(name, ".csv") || strings.HasSuffix(name, ".jsonl") {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("look for traces: %s holds no .csv and no .jsonl file", dir)
	}
	return names, nil
}

func readExpectation(path string) (Expectation, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the expectation (--update writes one): %w", err)
	}
	var e Expectation
	if err := json.Unmarshal(content, &e); err != nil {
		return nil, fmt.Errorf("%s: not an expectation (--update writes one): %w", path, err)
	}
	return e, nil
}

func writeExpectation(path string, e Expectation) error {
	content, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(content, '\n'), 0o644)
}
