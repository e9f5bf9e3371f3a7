package replay

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Flags, traces and the fields of a sweep may stand in any order.
func TestBacktestArguments(t *testing.T) {
	policy := write(t, "policy.json", `{"cooldown":"4h","max_reminders":2}`)
	b, err := Tools{}.parseBacktest([]string{
		vendorGaps, "--set", "max_reminders=5", "--sweep", "cooldown=5m,15m", "healthy_required=1..5", "--policy", policy,
		"-sweep", "failing_required=1..3", "--late-after=1m", "--", "--odd.csv", "--odder.csv",
	}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(b.files.Paths, " "); got != vendorGaps+" --odd.csv --odder.csv" {
		t.Errorf("traces: got %s", got)
	}
	if len(b.dims) != 3 || b.dims[1].Field != "healthy_required" || len(b.dims[1].Values) != 5 {
		t.Errorf("dimensions: got %+v", b.dims)
	}
	want := defaults(func(p *incident.Policy) { p.Cooldown, p.MaxReminders = 4*time.Hour, 2 })
	if b.base != want || b.lateAfter != time.Minute {
		t.Errorf("base: got %+v, want %+v; late after %s", b.base, want, b.lateAfter)
	}
}

func TestBacktestRefuses(t *testing.T) {
	bad := write(t, "bad.csv", "tick,key,verdict\n2026-01-02T12:00:00Z,k,broken\n")
	policy := write(t, "policy.json", `{"cooldwn":"4h"}`)
	for _, c := range []struct {
		says string
		args []string
	}{
		{"which trace", nil},
		{"no such file", []string{"missing.csv"}},
		{"bad.csv:2", []string{bad}},
		{"swept twice", []string{vendorGaps, "--sweep", "cooldown=5m", "cooldown=15m"}},
		{"no such file", []string{vendorGaps, "cooldown=15m"}},
		{"FIELD=VALUE", []string{vendorGaps, "--set", "cooldown"}},
		{"cooldwn", []string{vendorGaps, "--policy", policy}},
		{"no such file", []string{vendorGaps, "--policy", "nowhere.json"}},
		{"CHANNEL=AMOUNT", []string{vendorGaps, "--price", "ses=cheap"}},
		{"CHANNEL=AMOUNT", []string{vendorGaps, "--price", "ses=-1"}},
		{"OWNER=CHANNEL", []string{vendorGaps, "--channels", "ops="}},
		{"above zero", []string{vendorGaps, "--late-after", "0s"}},
		{"knows no deployment", []string{"--recorded"}},
		{"at once", []string{"--recorded", vendorGaps}},
		{"knows no configuration", []string{"--live", vendorGaps}},
		{"not defined: -colour", []string{vendorGaps, "--colour"}},
		{"no such file", []string{vendorGaps, "--html", filepath.Join(t.TempDir(), "no", "dir.html")}},
		{"no such file", []string{vendorGaps, "--notices", filepath.Join(t.TempDir(), "no", "dir.jsonl")}},
	} {
		_, stderr := run(t, backtestIn, exitUsage, c.args...)
		if !strings.Contains(stderr, c.says) {
			t.Errorf("%q: got %q, want one that says %q", c.args, stderr, c.says)
		}
	}
}

func TestHelp(t *testing.T) {
	for name, command := range map[string]func([]string, io.Writer, io.Writer) int{
		"backtest": BacktestCommand, "keys": KeysCommand, "eval": EvalCommand,
	} {
		var out, errs bytes.Buffer
		if got := command([]string{"--help"}, &out, &errs); got != exitOK || !strings.HasPrefix(errs.String(), "Usage: ringonce "+name) {
			t.Errorf("%s --help: exit status %d\n%s", name, got, errs.String())
		}
	}
}

func TestBacktestReportsAFullDisk(t *testing.T) {
	var errs bytes.Buffer
	if got := BacktestCommand([]string{vendorGaps}, brokenWriter{}, &errs); got != exitUsage || !strings.Contains(errs.String(), "disk is full") {
		t.Errorf("exit status %d, %s", got, errs.String())
	}
}

// The notices are written as they come; that the end of them found no room is
// not kept quiet.
func TestBacktestReportsUnwrittenNotices(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("this system has no " + full)
	}
	_, stderr := run(t, backtestIn, exitUsage, vendorGaps, "--notices", full)
	if !strings.Contains(stderr, "no space left") {
		t.Errorf("got %q", stderr)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

// Case O3, the part of it that lies here: recorded observations under the
// policies of a configuration give the notices that they gave live.
func TestRecordedUnderLivePolicies(t *testing.T) {
	var recorded []observation.Observation
	for row := range line("k1/test/n=1", "FFHHFUFHH", "") {
		recorded = append(recorded, row.Observation)
	}
	policyOf := func(observation.Observation) incident.Policy {
		return defaults(func(p *incident.Policy) { p.FailingRequired = 2 })
	}
	var live []string
	s := incident.State{}
	for _, o := range recorded {
		var a incident.Action
		var r incident.Reason
		if s, a, r = incident.Decide(s, o, policyOf(o)); a != incident.None {
			live = append(live, observation.FormatTick(o.Tick)+" "+string(a)+" "+r.String())
		}
	}
	tools := Tools{
		Recorded: func() (trace.Rows, error) { return trace.Of(recorded), nil },
		Live: func() (Candidate, Pricing, error) {
			return Candidate{Name: "live", For: policyOf}, Pricing{
				Currency: "EUR", PerMessage: map[string]float64{"ses": 0.5}, Channels: map[string][]string{"unowned": {"ses", "ses"}},
			}, nil
		},
	}
	path := filepath.Join(t.TempDir(), "notices.jsonl")
	var out, errs bytes.Buffer
	if got := tools.Backtest([]string{"--recorded", "--live", "--notices", path}, &out, &errs); got != exitOK {
		t.Fatalf("exit status %d: %s", got, errs.String())
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	if len(lines) != len(live) || len(live) != 4 {
		t.Fatalf("%d notices, live %d", len(lines), len(live))
	}
	for i, want := range live {
		for part := range strings.FieldsSeq(want) {
			if !strings.Contains(lines[i], part) {
				t.Errorf("notice %d: %s lacks %q", i, lines[i], part)
			}
		}
	}
	if !strings.Contains(out.String(), "unowned by ses: 8, 4.0000 EUR") {
		t.Errorf("the report does not tell the configured channels and prices:\n%s", out.String())
	}
	out.Reset()
	if got := tools.Backtest([]string{"--recorded", "--live", "--price", "ses=1", "--currency", "CHF"}, &out, &errs); got != exitOK ||
		!strings.Contains(out.String(), "unowned by ses: 8, 8.0000 CHF") {
		t.Errorf("exit status %d, and prices of the command line do not win:\n%s", got, out.String())
	}
	if got := tools.Backtest([]string{"--recorded", "--live", "--set", "cooldown=1h"}, &out, &errs); got != exitUsage {
		t.Errorf("--live with --set: exit status %d", got)
	}
}

func TestProgressIsShownOnLongRuns(t *testing.T) {
	now := noon
	var shown bytes.Buffer
	tools := Tools{Now: func() time.Time { return now }}
	p := tools.progress(&trace.Files{}, &shown, false)
	for n := range 7 {
		now = now.Add(time.Second)
		p.rows(int64(1000 * (n + 1)))
	}
	p.done(7000)
	want := "replayed 2,000 rows, 1,000 a second\nreplayed 4,000 rows, 1,000 a second\nreplayed 6,000 rows, 1,000 a second\nreplayed 100 %, 7,000 rows in 7s\n"
	if shown.String() != want {
		t.Errorf("got\n%swant\n%s", shown.String(), want)
	}
}

func TestProgressTellsTheShare(t *testing.T) {
	now := noon
	var shown bytes.Buffer
	files := &trace.Files{Paths: []string{write(t, "x.csv", strings.Repeat("x", 200))}}
	p := Tools{Now: func() time.Time { return now }}.progress(files, &shown, false)
	files.Read.Add(50)
	now = now.Add(2 * time.Second)
	p.rows(10)
	if got := shown.String(); got != "replayed  25 %, 10 rows, 5 a second\n" {
		t.Errorf("got %q", got)
	}
	shown.Reset()
	quiet := Tools{Now: func() time.Time { return now }}.progress(files, &shown, true)
	now = now.Add(time.Hour)
	quiet.rows(20)
	quiet.done(20)
	if shown.Len() > 0 {
		t.Errorf("quiet, but it said %q", shown.String())
	}
}
