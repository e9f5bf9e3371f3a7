package replay

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/ringonce/ringonce/internal/replay/trace"
)

// flags is a command's flag set. It prints nothing by itself: mistakes are returned
// as errors, and the list of all flags is shown only on request.
type flags struct {
	*flag.FlagSet
	help func()
}

func newFlags(name, usage string, stderr io.Writer) flags {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return flags{fs, func() {
		fmt.Fprint(stderr, usage)
		fs.SetOutput(stderr)
		fs.PrintDefaults()
	}}
}

// parseMixed parses flags anywhere among the arguments, and passes the arguments on
// in order. After "--" everything is an argument.
func parseMixed(fs flags, args []string, argument func(string) error) error {
	for {
		switch err := fs.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			fs.help()
			return err
		case err != nil:
			return fmt.Errorf("%w; see `ringonce help %s`", err, fs.Name())
		}
		left := fs.Args()
		if len(left) == 0 {
			return nil
		}
		n := len(args) - len(left)
		flagsEnded := n > 0 && args[n-1] == "--"
		for i, arg := range left {
			if i > 0 && !flagsEnded {
				break
			}
			if err := argument(arg); err != nil {
				return err
			}
		}
		if flagsEnded {
			return nil
		}
		args = left[1:]
	}
}

func (b *backtest) readPolicy(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, &b.base); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return sane(b.base)
}

func (b *backtest) setField(text string) error {
	field, value, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("%q: want FIELD=VALUE, such as cooldown=1h", text)
	}
	return set(&b.base, field, value)
}

func (b *backtest) addDimension(text string) error {
	d, err := ParseDimension(text)
	if err != nil {
		return err
	}
	for _, other := range b.dims {
		if other.Field == d.Field {
			return fmt.Errorf("%s is swept twice: give all its values at once", d.Field)
		}
	}
	b.dims = append(b.dims, d)
	return nil
}

func (b *backtest) addPrice(text string) error {
	channel, amount, ok := strings.Cut(text, "=")
	price, err := strconv.ParseFloat(amount, 64)
	if !ok || channel == "" || err != nil || price < 0 || math.IsInf(price, 0) || math.IsNaN(price) {
		return fmt.Errorf("%q: want CHANNEL=AMOUNT, such as ses=0.0001", text)
	}
	if b.pricing.PerMessage == nil {
		b.pricing.PerMessage = make(map[string]float64)
	}
	b.pricing.PerMessage[channel] = price
	return nil
}

func (b *backtest) addChannels(text string) error {
	owner, list, ok := strings.Cut(text, "=")
	if !ok {
		owner, list = "", text
	}
	if list == "" {
		return fmt.Errorf("%q: want OWNER=CHANNEL,CHANNEL, such as checkout=slack_webhook,ses", text)
	}
	channels := strings.Split(list, ",")
	if !ok {
		b.pricing.Default = channels
		return nil
	}
	if b.pricing.Channels == nil {
		b.pricing.Channels = make(map[string][]string)
	}
	b.pricing.Channels[owner] = channels
	return nil
}

// rows returns the traces to read, and their names in the report.
func (tools Tools) rows(files *trace.Files, recorded bool) (trace.Rows, []string, error) {
	if !recorded {
		return files.Rows(), files.Paths, nil
	}
	if len(files.Paths) > 0 {
		return nil, nil, errors.New("--recorded and trace files at once: replay them one after the other")
	}
	if tools.Recorded == nil {
		return nil, nil, errors.New("--recorded: this command knows no deployment; name a trace file")
	}
	rows, err := tools.Recorded()
	if err != nil {
		return nil, nil, fmt.Errorf("read the recorded observations: %w", err)
	}
	return rows, []string{"recorded observations"}, nil
}
