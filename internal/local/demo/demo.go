// Package demo plays the story on this machine: the functions of template.yaml as
// real processes over a real DynamoDB engine and real streams, with local servers for
// the vendors, Slack and SES. It then checks that every expected message arrived
// exactly once and no other did.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/display"
	"github.com/ringonce/ringonce/internal/local/live"
	"github.com/ringonce/ringonce/internal/local/stack"
	"github.com/ringonce/ringonce/internal/local/story"
)

// Options are the locations of the demo's parts.
type Options struct {
	Template     string
	FunctionsDir string
	Engine       string
	// Testdata is the folder with vendors/ and demo/ringonce.yaml.
	Testdata string
	Out      io.Writer
	// StateDir stores the rows and the configuration after the demo; if it is empty,
	// they are removed.
	StateDir string
	// Steps is the story; empty is the whole one.
	Steps []story.Step
	// After, if set, is called at the end of the story with the store and the
	// configuration that it ran with.
	After func(ctx context.Context, store *dynamo.Store, configPath string) error
}

// ErrUnexpected reports that the messages that arrived are not those that the story
// expects.
var ErrUnexpected = errors.New("the messages that arrived are not the ones expected")

// show is one run of the story.
type show struct {
	opts    Options
	display *display.Display
	style   display.Style
	scene   *scene
	stack   *stack.Stack
	store   *dynamo.Store
	// polled is signalled when a source's observations have been written.
	polled chan string
}

// Run plays the story. It returns ErrUnexpected if a message is missing, repeated or
// not expected.
func Run(ctx context.Context, o Options) error {
	if len(o.Steps) == 0 {
		o.Steps = story.Steps()
	}
	if _, err := os.Stat(filepath.Join(o.StateDir, stack.TablesFile)); o.StateDir != "" && err == nil {
		return fmt.Errorf("%s holds a state already, and the story needs an empty one: name another directory", o.StateDir)
	}
	if err := missing(o); err != nil {
		return err
	}
	began := time.Now()
	s := &show{opts: o, style: display.StyleFor(o.Out), polled: make(chan string, 64)}
	s.display = display.New(o.Out, s.style)
	s.display.Say("%s", s.style.Bold("Ringonce demo"))
	s.display.Say("Starting a local DynamoDB engine, the tables and functions of %s, recorded vendors, a Slack and a mail inbox.", o.Template)
	if err := s.open(ctx); err != nil {
		return err
	}
	defer s.close()
	if err := s.play(ctx); err != nil {
		return err
	}
	if err := s.settle(ctx); err != nil {
		return err
	}
	ok, err := s.report(ctx)
	if err != nil {
		return err
	}
	if o.After != nil {
		if err := o.After(ctx, s.store, s.scene.configPath()); err != nil {
			return err
		}
	}
	s.display.Say("\n%d ticks in %.0f s.", len(o.Steps), time.Since(began).Seconds())
	if !ok {
		return ErrUnexpected
	}
	return nil
}

// missing reports what the story needs and cannot find.
func missing(o Options) error {
	err := stack.Missing(stack.Options{Template: o.Template, FunctionsDir: o.FunctionsDir, Engine: o.Engine})
	if _, none := os.Stat(filepath.Join(o.Testdata, "vendors")); none != nil {
		err = errors.Join(err, fmt.Errorf("there are no recorded vendors in %s: name the folder testdata of a checkout of Ringonce with --testdata", o.Testdata))
	}
	return err
}

func (s *show) open(ctx context.Context) (err error) {
	if s.scene, err = openScene(s.opts, s.display, s.style); err != nil {
		return err
	}
	s.stack, err = stack.Start(ctx, stack.Options{
		Template: s.opts.Template, FunctionsDir: s.opts.FunctionsDir, Engine: s.opts.Engine, StateDir: s.opts.StateDir,
		Env: s.scene.env, Output: s.line,
		Problem:   func(err error) { s.display.Say("  stack     %v", err) },
		PollEvery: 20 * time.Millisecond,
	})
	if err != nil {
		s.scene.close()
		return err
	}
	s.store = dynamo.New(dynamodb.NewFromConfig(s.stack.AWS()), live.Tables(s.stack))
	return nil
}

func (s *show) close() {
	if err := s.stack.Close(); err != nil {
		s.display.Say("closing the stack: %v", err)
	}
	s.scene.close()
}
