package replay

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/replay/trace"
)

const evalUsage = `Usage: ringonce eval [flags]

Runs the shipped policies over the shipped traces and fails when a score is
worse than the committed expectation.

Flags:
`

// Expectation is the committed scores: by trace, policy and score. A score
// that is not defined is null.
type Expectation map[string]map[string]map[string]*float64

// EvalCommand is the command "eval". It returns the exit status: 1 when a
// score is worse than expected, or one is not expected at all.
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

// Evaluate scores the candidates on every trace of a directory by itself.
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
		return nil, fmt.Errorf("look for traces: %w", err)
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

// Compare lists where scores differ from the expectation, each in words. What
// is expected and missing, or there and not expected, counts as worse: an
// evaluation that skips something must not pass.
func Compare(got, want Expectation) (worse, better []string) {
	for _, id := range idsOf(got, want) {
		g, inGot := got.score(id)
		e, inWant := want.score(id)
		where := fmt.Sprintf("%s, %s: %s", id[0], id[1], id[2])
		switch {
		case !inGot:
			worse = append(worse, where+" is expected, and was not evaluated")
		case !inWant:
			worse = append(worse, where+" is not expected yet: write it with --update")
		case g == nil && e == nil:
		case g == nil || e == nil:
			worse = append(worse, fmt.Sprintf("%s is %s, expected %s: one of them is not defined", where, plain(g), plain(e)))
		case *g > *e:
			worse = append(worse, fmt.Sprintf("%s is %s, expected %s", where, plain(g), plain(e)))
		case *g < *e:
			better = append(better, fmt.Sprintf("%s is %s, expected %s", where, plain(g), plain(e)))
		}
	}
	return worse, better
}

func plain(v *float64) string {
	if v == nil {
		return "nothing"
	}
	return fmt.Sprint(*v)
}

// idsOf lists every (trace, policy, score) of either, sorted.
func idsOf(all ...Expectation) [][3]string {
	var ids [][3]string
	for _, e := range all {
		for t, policies := range e {
			for p, scores := range policies {
				for s := range scores {
					ids = append(ids, [3]string{t, p, s})
				}
			}
		}
	}
	slices.SortFunc(ids, func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}

func (e Expectation) score(id [3]string) (*float64, bool) {
	v, ok := e[id[0]][id[1]][id[2]]
	return v, ok
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
