package replay

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

// Exit statuses of the commands.
const (
	exitOK = 0
	// exitBreach: the input was read, and something in it exceeds a limit.
	exitBreach = 1
	// exitUsage: the command line or the input could not be read.
	exitUsage = 2
)

const backtestUsage = `Usage: ringonce backtest [flags] TRACE... [FIELD=VALUES...]

Replays traces (.csv or .jsonl, .gz) through the decisions that run live and
scores what a policy would have told. It sends nothing and needs no AWS.

  ringonce backtest month.jsonl --set cooldown=1h
  ringonce backtest month.jsonl --sweep cooldown=5m,15m,1h healthy_required=1..5 --html report.html

Flags:
`

// backtest is a parsed command line.
type backtest struct {
	files     trace.Files
	recorded  bool
	live      bool
	base      incident.Policy
	dims      []Dimension
	pricing   Pricing
	lateAfter time.Duration
	jsonPath  string
	htmlPath  string
	notices   string
	timelines int
	all       bool
	quiet     bool
	workers   int
}

// BacktestCommand runs the command "backtest". It returns the exit status.
func BacktestCommand(args []string, stdout, stderr io.Writer) int {
	return Tools{}.Backtest(args, stdout, stderr)
}

// Backtest is BacktestCommand with access to recorded observations.
func (tools Tools) Backtest(args []string, stdout, stderr io.Writer) int {
	b, err := tools.parseBacktest(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err == nil {
		err = tools.backtest(b, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "ringonce backtest: %v\n", err)
		return exitUsage
	}
	return exitOK
}

func (tools Tools) parseBacktest(args []string, stderr io.Writer) (*backtest, error) {
	b := &backtest{base: incident.DefaultPolicy(), pricing: DefaultPricing(), lateAfter: DefaultLateAfter}
	fs := tools.newFlags("backtest", backtestUsage, stderr)
	fs.Func("policy", "read the base policy from a JSON `FILE`; a field that it lacks keeps its default", b.readPolicy)
	fs.Func("set", "set one `FIELD=VALUE` of the base policy; may be repeated", b.setField)
	fs.Func("sweep", "try all values of a field, `FIELD=VALUES`: 5m,15m,1h or 1..5; more fields may follow as arguments", b.addDimension)
	fs.Func("price", "the price of one message, `CHANNEL=AMOUNT`; may be repeated", b.addPrice)
	fs.Func("channels", "where an owner is told, `OWNER=CHANNEL,CHANNEL…`; without OWNER=, everybody else", b.addChannels)
	fs.StringVar(&b.pricing.Currency, "currency", b.pricing.Currency, "what prices are in")
	fs.DurationVar(&b.lateAfter, "late-after", b.lateAfter, "when an open counts as late, from the beginning of a real failure")
	fs.StringVar(&b.jsonPath, "json", "", "write the report as JSON to this file; - is standard output, in the table's place")
	fs.StringVar(&b.htmlPath, "html", "", "write the report as one self-contained HTML page to this file")
	fs.StringVar(&b.notices, "notices", "", "write what the base policy would have told, one JSON object a line, to this file")
	fs.IntVar(&b.timelines, "timelines", 12, "how many keys to draw in the HTML report, the busiest first")
	fs.BoolVar(&b.all, "all", false, "show policies that another beats, too")
	fs.BoolVar(&b.quiet, "quiet", false, "show no progress")
	fs.IntVar(&b.workers, "workers", 0, "how many processors to use; 0 is all")
	fs.BoolVar(&b.recorded, "recorded", false, "replay the recorded observations of the deployment")
	fs.BoolVar(&b.live, "live", false, "take the policies of the configuration, by source and owner, as the base")
	if err := parseMixed(fs, args, b.argument); err != nil {
		return nil, err
	}
	if len(b.files.Paths) == 0 && !b.recorded {
		return nil, errors.New("which trace? Name a .csv or .jsonl file, or give --recorded; see `ringonce help backtest`")
	}
	if b.lateAfter <= 0 {
		return nil, fmt.Errorf("--late-after %s: want a time above zero", b.lateAfter)
	}
	return b, nil
}

// argument reads a trace, or one more dimension of a sweep.
func (b *backtest) argument(arg string) error {
	if _, err := os.Stat(arg); err != nil && len(b.dims) > 0 && strings.Contains(arg, "=") {
		return b.addDimension(arg)
	}
	b.files.Paths = append(b.files.Paths, arg)
	return nil
}

func (tools Tools) backtest(b *backtest, stdout, stderr io.Writer) error {
	base, err := tools.base(b)
	if err != nil {
		return err
	}
	candidates, err := Grid(base, b.dims)
	if err != nil {
		return err
	}
	rows, traces, err := tools.rows(&b.files, b.recorded)
	if err != nil {
		return err
	}
	out := outputs{stdout: stdout}
	notices, err := out.notices(b.notices)
	if err != nil {
		return err
	}
	progress := tools.progress(&b.files, stderr, b.quiet)
	result, err := Run(rows, candidates, Options{LateAfter: b.lateAfter, Workers: b.workers, OnNotice: notices, OnRows: progress.rows})
	if err != nil {
		return errors.Join(err, out.close())
	}
	progress.done(result.Rows)
	report := NewReport(result, traces, b.lateAfter, b.pricing)
	if b.htmlPath != "" {
		lines, err := Timelines(rows, result, b.timelines)
		if err != nil {
			return errors.Join(err, out.close())
		}
		out.write(b.htmlPath, func(w io.Writer) error { return report.WriteHTML(w, lines) })
	}
	if b.jsonPath != "" {
		out.write(b.jsonPath, report.WriteJSON)
	}
	if b.jsonPath != "-" {
		out.write("-", func(w io.Writer) error { return report.WriteTable(w, b.all) })
	}
	return out.close()
}
