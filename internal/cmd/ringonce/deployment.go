package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/ringonce/ringonce/internal/local/recorded"
	"github.com/ringonce/ringonce/internal/replay"
	"github.com/ringonce/ringonce/internal/replay/trace"
	"github.com/ringonce/ringonce/internal/setup"
)

// deployment is where a command finds the recorded data, and the configuration for
// it.
type deployment struct {
	call   call
	from   stored
	config string
	// done closes the tables at the end; nil for none.
	done func() error
}

func (d *deployment) flags(fs *flag.FlagSet) {
	d.from.into(fs)
	if fs.Name() == "keys" {
		return // it judges keys, whatever the policies are
	}
	fs.StringVar(&d.config, "config", setup.ConfigPath(d.call.env), "the configuration whose policies --live takes")
}

// tools returns the commands of package replay over this deployment.
func (d *deployment) tools(ctx context.Context) replay.Tools {
	return replay.Tools{
		Flags:    d.flags,
		Recorded: func() (trace.Rows, error) { return d.recorded(ctx) },
		Live:     d.live,
	}
}

func (d *deployment) recorded(ctx context.Context) (trace.Rows, error) {
	store, done, err := d.from.tables(ctx, d.call)
	if err != nil {
		return nil, err
	}
	d.done = done
	return func(yield func(trace.Row, error) bool) {
		for row, err := range recorded.Rows(ctx, store) {
			if err != nil {
				err = d.from.refused(err)
			}
			if !yield(row, err) {
				return
			}
		}
	}, nil
}

func (d *deployment) live() (replay.Candidate, replay.Pricing, error) {
	cfg, err := loadChecked(d.call, d.config)
	if err != nil {
		return replay.Candidate{}, replay.Pricing{}, fmt.Errorf("--live takes the policies of a configuration: %w", err)
	}
	return recorded.Live(cfg), recorded.Pricing(cfg), nil
}

// close closes what was opened, and reports if that fails.
func (d *deployment) close(code int) int {
	if d.done == nil {
		return code
	}
	if err := d.done(); err != nil {
		fmt.Fprintln(d.call.stderr, "ringonce: give the state back:", err)
		return max(code, exitProblems)
	}
	return code
}
