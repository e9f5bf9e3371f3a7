package replay

import (
	"errors"
	"flag"
	"io"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

// Tools are the commands with what they may need from outside this package.
type Tools struct {
	// Recorded, when set, reads the observations that a deployment recorded,
	// for --recorded.
	Recorded func() (trace.Rows, error)
	// Live, when set, is the policy of a configuration, by observation, with the
	// channels that each owner is told through and their prices; --live takes it
	// as the base.
	Live func() (Candidate, Pricing, error)
	// Flags, when set, adds what Recorded and Live depend on to the flags.
	Flags func(*flag.FlagSet)
	// Now is the wall clock that paces the display of progress; time.Now when
	// it is nil. No result reads it.
	Now func() time.Time
}

// base is the candidate that the others are varied from.
func (tools Tools) base(b *backtest) (Candidate, error) {
	if !b.live {
		return Candidate{Name: "base", Policy: b.base}, nil
	}
	if tools.Live == nil {
		return Candidate{}, errors.New("--live: this command knows no configuration; give --policy or --set")
	}
	if b.base != incident.DefaultPolicy() {
		return Candidate{}, errors.New("--live and --policy or --set at once: vary the live policies with --sweep")
	}
	c, pricing, err := tools.Live()
	if b.pricing.Channels == nil {
		b.pricing.Channels = pricing.Channels
	}
	if b.pricing.PerMessage == nil && b.pricing.Currency == DefaultPricing().Currency && pricing.Currency != "" {
		b.pricing.PerMessage, b.pricing.Currency = pricing.PerMessage, pricing.Currency
	}
	return c, err
}

func (tools Tools) newFlags(name, usage string, stderr io.Writer) flags {
	fs := newFlags(name, usage, stderr)
	if tools.Flags != nil {
		tools.Flags(fs.FlagSet)
	}
	return fs
}
