package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/live"
	"github.com/ringonce/ringonce/internal/local/recorded"
	"github.com/ringonce/ringonce/internal/replay"
	"github.com/ringonce/ringonce/internal/replay/trace"
	"github.com/ringonce/ringonce/internal/setup"
)

// deployment is where a command finds what was recorded, and by which rules.
type deployment struct {
	call   call
	config string
	state  live.Options
	// opened is the local state to give back at the end; nil is none.
	opened *live.State
}

func (d *deployment) flags(fs *flag.FlagSet) {
	fs.StringVar(&d.state.StateDir, "state", ".state", "where 'ringonce run' keeps the state that --recorded reads")
	fs.StringVar(&d.state.Engine, "engine", "", "the DynamoDB engine's binary; by default under .tools")
	fs.StringVar(&d.state.Template, "template", "template.yaml", "the SAM template that names the tables")
	if fs.Name() == "keys" {
		return // it judges keys, whatever the policies are
	}
	fs.StringVar(&d.config, "config", setup.ConfigPath(d.call.env), "the configuration whose policies --live takes")
}

// tools are the commands of package replay over this deployment.
func (d *deployment) tools(ctx context.Context) replay.Tools {
	return replay.Tools{
		Flags:    d.flags,
		Recorded: func() (trace.Rows, error) { return d.recorded(ctx) },
		Live:     d.live,
	}
}

// recorded reads the tables that the environment names or, where it names
// none, those of a local state.
func (d *deployment) recorded(ctx context.Context) (trace.Rows, error) {
	store, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	return recorded.Rows(ctx, store), nil
}

func (d *deployment) open(ctx context.Context) (*dynamo.Store, error) {
	if d.call.env(string(setup.Observations)) == "" && d.call.env(string(setup.Incidents)) == "" {
		opened, err := live.Open(ctx, d.state)
		if err != nil {
			return nil, fmt.Errorf("%w; or set %s and %s to read tables in AWS", err, setup.Observations, setup.Incidents)
		}
		d.opened = opened
		return opened.Store, nil
	}
	tables, err := setup.Tables(d.call.env, setup.Observations, setup.Incidents)
	if err != nil {
		return nil, err
	}
	cfg, err := setup.AWS(ctx)
	if err != nil {
		return nil, err
	}
	return dynamo.New(dynamodb.NewFromConfig(cfg), tables), nil
}

func (d *deployment) live() (replay.Candidate, map[string][]string, error) {
	cfg, ok := loadChecked(d.call, d.config)
	if !ok {
		return replay.Candidate{}, nil, errors.New("the configuration is not usable: `ringonce validate` says more")
	}
	return recorded.Live(cfg), recorded.Channels(cfg), nil
}

// close gives back what was opened, and says so if that fails.
func (d *deployment) close(code int) int {
	if d.opened == nil {
		return code
	}
	if err := d.opened.Close(); err != nil {
		fmt.Fprintln(d.call.stderr, "ringonce: give the state back:", err)
		return max(code, exitProblems)
	}
	return code
}
