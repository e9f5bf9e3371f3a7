package replay

import (
	"errors"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

// Tools are the commands with what they may need from outside this package.
type Tools struct {
	// Recorded, when set, reads the observations that a deployment recorded,
	// for --recorded.
	Recorded func() (trace.Rows, error)
	// Live, when set, is the policy of a configuration, by observation; --live
	// takes it as the base.
	Live func() (Candidate, error)
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
	return tools.Live()
}
