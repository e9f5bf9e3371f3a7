package explain

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
)

// Dimensions are the dimensions that usage can be grouped by, in the order of columns.
var Dimensions = []string{"month", "day", "owner", "cost_center", "channel", "source"}

// Charge is one line of a bill.
type Charge struct {
	// Of holds the line's value of each dimension of the bill.
	Of        []string
	Attempted int64
	Delivered int64
	Repeated  int64
	Held      int64
	Dead      int64
	Digested  int64
	Cost      config.Amount
}

// Bill is usage grouped by some dimensions, with its sum.
type Bill struct {
	By       []string
	Currency string
	Lines    []Charge
	Sum      Charge
}

// NewBill sums counters by the given dimensions and prices them. Each counter is priced
// by its own channel, so that the total does not depend on the dimensions.
func NewBill(counters []delivery.Usage, by []string, prices config.Prices) (*Bill, error) {
	for _, d := range by {
		if !slices.Contains(Dimensions, d) {
			return nil, fmt.Errorf("usage cannot be told by %q: use some of %s", d, list(Dimensions))
		}
	}
	b := &Bill{By: by, Currency: prices.Currency, Lines: []Charge{}}
	lines := map[string]*Charge{}
	for _, u := range counters {
		of := make([]string, len(by))
		for i, d := range by {
			of[i] = dimension(u, d)
		}
		key := fmt.Sprintf("%q", of)
		if lines[key] == nil {
			lines[key] = &Charge{Of: of}
		}
		lines[key].add(u, prices)
		b.Sum.add(u, prices)
	}
	for _, c := range lines {
		b.Lines = append(b.Lines, *c)
	}
	slices.SortFunc(b.Lines, func(a, b Charge) int { return slices.Compare(a.Of, b.Of) })
	return b, nil
}

// dimension returns a counter's value of a dimension.
func dimension(u delivery.Usage, name string) string {
	switch name {
	case "month":
		return u.Day[:min(len("2006-01"), len(u.Day))]
	case "day":
		return u.Day
	case "owner":
		return u.Owner
	case "cost_center":
		return u.CostCenter
	case "channel":
		return u.Channel
	default:
		return u.Source
	}
}

func (c *Charge) add(u delivery.Usage, prices config.Prices) {
	c.Attempted += u.Attempted
	c.Delivered += u.Delivered
	c.Repeated += u.Repeated
	c.Held += u.Held
	c.Dead += u.Dead
	c.Digested += u.Digested
	p := prices.Channels[u.Channel]
	c.Cost += config.Amount(u.Attempted)*p.Attempted + config.Amount(u.Delivered)*p.Delivered
}

// counts returns the numbers of a charge in the order of countNames.
func (c Charge) counts() []string {
	all := make([]string, 0, len(countNames))
	for _, n := range []int64{c.Attempted, c.Delivered, c.Repeated, c.Held, c.Dead, c.Digested} {
		all = append(all, strconv.FormatInt(n, 10))
	}
	return all
}

var countNames = []string{"attempted", "delivered", "repeated", "held", "dead", "digested"}

func (b *Bill) header() []string {
	return append(slices.Concat(b.By, countNames), "cost", "currency")
}

func (b *Bill) row(of []string, c Charge) []string {
	return append(slices.Concat(of, c.counts()), c.Cost.String(), b.Currency)
}

// WriteCSV writes the lines of a bill, without their sum, so that a spreadsheet can sum
// a column.
func (b *Bill) WriteCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	if err := w.Write(b.header()); err != nil {
		return err
	}
	for _, c := range b.Lines {
		of := make([]string, len(c.Of))
		for i, v := range c.Of {
			of[i] = unformula(v)
		}
		if err := w.Write(b.row(of, c)); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// unformula returns a value that no spreadsheet evaluates as a formula.
func unformula(s string) string {
	if s != "" && (s[0] == '=' || s[0] == '+' || s[0] == '-' || s[0] == '@') {
		return "'" + s
	}
	return s
}

// WriteText writes a bill for a terminal.
func (b *Bill) WriteText(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(cells []string) {
		if b.Currency == "" {
			// Without prices there are no costs: leave out both columns.
			cells = cells[:len(cells)-2]
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	row(b.header())
	for _, c := range b.Lines {
		row(b.row(c.Of, c))
	}
	if len(b.By) > 0 {
		sum := make([]string, len(b.By))
		sum[0] = "sum"
		row(b.row(sum, b.Sum))
	}
	return t.Flush()
}

// Map returns a bill in the form of its JSON.
func (b *Bill) Map() map[string]any {
	lines := make([]map[string]any, 0, len(b.Lines))
	for _, c := range b.Lines {
		line := c.fields()
		for i, name := range b.By {
			line[name] = c.Of[i]
		}
		lines = append(lines, line)
	}
	return map[string]any{"by": b.By, "currency": b.Currency, "lines": lines, "sum": b.Sum.fields()}
}

// fields returns the numbers of a charge; the cost as a string, to stay exact.
func (c Charge) fields() map[string]any {
	return map[string]any{
		"attempted": c.Attempted, "delivered": c.Delivered, "repeated": c.Repeated,
		"held": c.Held, "dead": c.Dead, "digested": c.Digested, "cost": c.Cost.String(),
	}
}
