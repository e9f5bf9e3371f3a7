package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/live"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// stored are the flags of commands that read stored data.
type stored struct {
	state, stack, engine, config string
	json                         bool
}

// storedUsage explains those flags.
const storedUsage = `
  --state DIR       read the local state that "ringonce run" keeps; by default
                    .state. It may be running
  --stack NAME      read the tables of a deployed stack instead, with the AWS
                    credentials and region of the environment
  --config FILE     the configuration: whose things are, and policies that were
                    not stored; else $RINGONCE_CONFIG or ringonce.yaml if there
  --engine PATH     the DynamoDB engine's binary; by default under .tools
  --json            print JSON

AWS_ENDPOINT_URL_DYNAMODB brings another engine; its tables are named after
--stack, or ringonce. Nothing is written and nobody is told anything.
`

const defaultStack = "ringonce"

func (s *stored) define(name string) *flag.FlagSet {
	flags := s.places(name)
	flags.StringVar(&s.config, "config", "", "")
	flags.BoolVar(&s.json, "json", false, "")
	return flags
}

// placesUsage explains where commands that change the tables find them.
const placesUsage = `
  --state DIR       the local state that "ringonce run" keeps; by default
                    .state. It may be running
  --stack NAME      the tables of a deployed stack instead, with the AWS
                    credentials and region of the environment
  --engine PATH     the DynamoDB engine's binary; by default under .tools

AWS_ENDPOINT_URL_DYNAMODB brings another engine; its tables are named after
--stack, or ringonce.
`

func (s *stored) places(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	s.into(flags)
	return flags
}

func (s *stored) into(flags *flag.FlagSet) {
	flags.StringVar(&s.state, "state", ".state", "the local state that 'ringonce run' keeps")
	flags.StringVar(&s.stack, "stack", "", "the deployed stack whose tables to read instead")
	flags.StringVar(&s.engine, "engine", "", "the DynamoDB engine's binary; by default under .tools")
}

// open returns the store, the configuration if there is one, and a function to close
// them.
func (s *stored) open(ctx context.Context, c call, options ...dynamo.Option) (*dynamo.Store, *config.Config, func() error, error) {
	cfg, err := s.configuration(c)
	if err != nil {
		return nil, nil, nil, err
	}
	if cfg != nil {
		// A person's decisions are kept as long as the others.
		options = append(options, setup.Retention(cfg)...)
	}
	store, done, err := s.tables(ctx, c, options...)
	return store, cfg, done, err
}

// tables returns the store and a function to close it.
func (s *stored) tables(ctx context.Context, c call, options ...dynamo.Option) (*dynamo.Store, func() error, error) {
	var (
		client aws.Config
		err    error
		done   = func() error { return nil }
	)
	if s.stack == "" && c.env("AWS_ENDPOINT_URL_DYNAMODB") == "" {
		client, done, err = live.Ask(ctx, s.state, s.engine)
	} else {
		client, err = setup.AWS(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	name := s.stack
	if name == "" {
		name = defaultStack
	}
	return dynamo.New(dynamodb.NewFromConfig(client), dynamo.Tables{
		Observations: name + "-observations", Incidents: name + "-incidents",
		Outbox: name + "-outbox", Operations: name + "-operations",
	}, options...), done, nil
}

// configuration reads the named configuration, or the default one if it exists.
func (s *stored) configuration(c call) (*config.Config, error) {
	path := s.config
	if path == "" {
		path = setup.ConfigPath(c.env)
		if _, err := os.Stat(path); err != nil && c.env(setup.ConfigVar) == "" {
			return nil, nil
		}
	}
	cfg, _, err := config.Load(path, preset.FS)
	if err != nil && s.config == "" && c.env(setup.ConfigVar) != "" {
		err = fmt.Errorf("$%s: %w", setup.ConfigVar, err)
	}
	return cfg, err
}

// failed reports an error.
func (c call) failed(cmd command, err error) int {
	fmt.Fprintf(c.stderr, "ringonce %s: %v\n", cmd.name, err)
	return exitProblems
}

// read opens the store, runs a command's work on it, and closes it.
func (c call) read(ctx context.Context, cmd command, s *stored, work func(*dynamo.Store, *config.Config) (int, error), options ...dynamo.Option) int {
	store, cfg, done, err := s.open(ctx, c, options...)
	if err != nil {
		return c.failed(cmd, err)
	}
	code, err := work(store, cfg)
	if err = errors.Join(err, done()); err != nil {
		return c.failed(cmd, s.refused(err))
	}
	return code
}

// refused explains AWS's errors about a stack's tables where their text leaves the
// cause open.
func (s *stored) refused(err error) error {
	var api smithy.APIError
	switch {
	case s.stack == "":
		return err
	case errors.As(err, &api) && api.ErrorCode() == "ResourceNotFoundException":
		return fmt.Errorf("%w\nthere is no stack %s in this account and region, or its tables are not there: see AWS_PROFILE and AWS_REGION", err, s.stack)
	case errors.As(err, &api) && api.ErrorCode() == "AccessDeniedException":
		return fmt.Errorf("%w\nthese credentials may not do that to the tables of %s, or not with the key that encrypts them", err, s.stack)
	case strings.Contains(err.Error(), "get credentials: "):
		return fmt.Errorf("%w\nthere are no AWS credentials in this environment, or they have expired", err)
	}
	return err
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
