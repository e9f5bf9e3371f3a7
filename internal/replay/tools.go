package replay

import (
	"errors"
	"flag"
	"io"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

// Tools are the commands with their dependencies on other packages.
type Tools struct {
	// Recorded, if set, reads the observations that a deployment recorded, for
	// --recorded.
	Recorded func() (trace.Rows, error)
	// Live, if set, returns the policy of a configuration, by observation, with each
	// owner's channels and their prices; --live uses it as the base.
	Live func() (Candidate, Pricing, error)
	// Flags, if set, adds the flags that Recorded and Live depend on.
	Flags func(*flag.FlagSet)
	// Now is the wall clock that paces the display of progress; nil is time.Now. No
	// result depends on it.
	Now func() time.Time
}

// base returns the candidate that the others are variations of.
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
