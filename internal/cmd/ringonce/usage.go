package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/explain"
)

func usageCommand() command {
	cmd := command{
		name:      "usage",
		arguments: "[--month 2026-01] [--by owner,channel] [--csv | --json]",
		summary:   "add up what alerting costs, by owner, cost center, channel, source and month",
		usage: `Adds up attempts and messages, and what they cost by the configuration's prices;
without prices there are no costs.
An owner and a cost center are those of the configuration when the message was
decided on, whatever the vendor says.

  --month MONTH     this month; by default the current one
  --from, --to DAY  these days, both included, instead
  --by LIST         some of month, day, owner, cost_center, channel, source; by
                    default month,owner,cost_center,channel,source
  --csv             print CSV, without the sum
  --check           count the ledger itself as well, and exit with 1 if the
                    counters do not add up to it exactly; it reads the whole
                    outbox. Days whose messages have expired are named and left
                    out (retention.deliveries; 400d without --config)
` + storedUsage,
	}
	cmd.run = func(ctx context.Context, c call) int { return runUsage(ctx, cmd, c) }
	return cmd
}

// billed holds a usage report's request.
type billed struct {
	stored
	by         []string
	from, to   time.Time
	csv, check bool
}

func runUsage(ctx context.Context, cmd command, c call) int {
	var b billed
	flags := b.define(cmd.name)
	by := flags.String("by", "month,owner,cost_center,channel,source", "")
	month := flags.String("month", "", "")
	from, to := flags.String("from", "", ""), flags.String("to", "", "")
	flags.BoolVar(&b.csv, "csv", false, "")
	flags.BoolVar(&b.check, "check", false, "")
	if _, code, ok := c.parse(cmd, flags, 0); !ok {
		return code
	}
	if b.csv && b.json {
		return c.misuse(cmd, "--csv and --json cannot go together")
	}
	b.by = strings.FieldsFunc(*by, func(r rune) bool { return r == ',' || r == ' ' })
	if _, err := explain.NewBill(nil, b.by, config.Prices{}); err != nil {
		return c.misuse(cmd, err.Error())
	}
	var err error
	if b.from, b.to, err = billedPeriod(*month, *from, *to, time.Now()); err != nil {
		return c.misuse(cmd, err.Error())
	}
	return c.read(ctx, cmd, &b.stored, func(store *dynamo.Store, cfg *config.Config) (int, error) {
		return b.run(ctx, c, store, cfg)
	})
}

func (b *billed) run(ctx context.Context, c call, store *dynamo.Store, cfg *config.Config) (int, error) {
	counters, err := store.Usage(ctx, b.from, b.to)
	if err != nil {
		return exitProblems, err
	}
	var prices config.Prices
	if cfg != nil {
		prices = cfg.Prices
	}
	if prices.Currency == "" {
		fmt.Fprintln(c.stderr, noPrices(cfg != nil))
	}
	bill, err := explain.NewBill(counters, b.by, prices)
	if err != nil {
		return exitProblems, err
	}
	switch {
	case b.json:
		err = writeJSON(c.stdout, bill.Map())
	case b.csv:
		err = bill.WriteCSV(c.stdout)
	default:
		err = bill.WriteText(c.stdout)
	}
	if err != nil || !b.check {
		return exitOK, err
	}
	return b.audit(ctx, c, store, cfg)
}

// audit compares the counters with the ledger, for the days for which that is
// possible.
func (b *billed) audit(ctx context.Context, c call, store *dynamo.Store, cfg *config.Config) (int, error) {
	kept := config.DefaultKept
	if cfg != nil {
		kept = cfg.Retention.Deliveries
	}
	from, ok := explain.Checkable(b.from, b.to, time.Now(), kept)
	if from.After(b.from) {
		last := b.to
		if ok {
			last = from.AddDate(0, 0, -1)
		}
		fmt.Fprintf(c.stderr, "%s to %s cannot be checked: messages of those days have expired (retention.deliveries %s). Their counters stand.\n",
			b.from.Format(time.DateOnly), last.Format(time.DateOnly), config.FormatDuration(kept))
	}
	if !ok {
		return exitOK, nil
	}
	counters, err := store.Usage(ctx, from, b.to)
	if err != nil {
		return exitProblems, err
	}
	ledger, err := explain.Ledger(ctx, store, from, b.to)
	if err != nil {
		return exitProblems, err
	}
	return c.audited(explain.Audit(counters, ledger)), nil
}

// noPrices returns the note, for stderr, on why there are no costs and how to get
// them.
func noPrices(configured bool) string {
	if configured {
		return "Costs are left out: the configuration has no prices."
	}
	return "Costs are left out: there is no configuration here to take prices from; name it with --config."
}

// audited reports on stderr, so that stdout holds only the report.
func (c call) audited(wrong []string) int {
	if len(wrong) == 0 {
		fmt.Fprintln(c.stderr, "The counters add up to the ledger exactly.")
		return exitOK
	}
	fmt.Fprintln(c.stderr, "THE COUNTERS ARE NOT WHAT THE LEDGER GIVES:")
	for _, w := range wrong {
		fmt.Fprintln(c.stderr, "  "+w)
	}
	return exitProblems
}

// billedPeriod returns the first and the last day of a report.
func billedPeriod(month, from, to string, now time.Time) (first, last time.Time, err error) {
	if month != "" && (from != "" || to != "") {
		return first, last, fmt.Errorf("--month and --from or --to cannot go together")
	}
	if month == "" && from == "" && to == "" {
		month = now.UTC().Format("2006-01")
	}
	if month != "" {
		if first, err = time.Parse("2006-01", month); err != nil {
			return first, last, fmt.Errorf("%q is no month: write it as 2026-01", month)
		}
		return first, first.AddDate(0, 1, -1), nil
	}
	if from == "" || to == "" {
		return first, last, fmt.Errorf("give both --from and --to, or --month")
	}
	for _, day := range []string{from, to} {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			return first, last, fmt.Errorf("%q is no day: write it as 2026-01-02", day)
		}
	}
	return period(from, to)
}
