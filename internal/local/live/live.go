// Package live runs Ringonce on a person's own machine against their live
// vendors and their real Slack and SES: the functions of template.yaml as
// processes, a local DynamoDB engine with its state in a directory, and the
// machine's clock in place of EventBridge.
package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/local/display"
	"github.com/ringonce/ringonce/internal/local/lambdaruntime"
	"github.com/ringonce/ringonce/internal/local/stack"
	"github.com/ringonce/ringonce/internal/setup"
)

// Options say what to run and where.
type Options struct {
	// ConfigPath is the configuration's file; Config is its content.
	ConfigPath string
	Config     *config.Config
	// StateDir stores rows and progress over restarts.
	StateDir     string
	Template     string
	FunctionsDir string
	Engine       string
	// Pages is the loopback address that serves incident pages; empty for none.
	Pages string
	// Verbose also shows every observation and every decision without an action.
	Verbose bool
	Out     io.Writer
	// Environ is the environment of the functions, as KEY=value: env: secrets, AWS
	// credentials and proxies come from it.
	Environ []string
}

// goodbye bounds how long shutdown waits for work in progress; the next start takes
// up what is cut off.
const goodbye = 20 * time.Second

// Run runs until the context ends, and then shuts down cleanly: work in progress is
// finished, and the next start on the same state takes up the rest.
func Run(ctx context.Context, o Options) error {
	if err := missing(o); err != nil {
		return err
	}
	unlock, err := lock(o.StateDir)
	if err != nil {
		return err
	}
	defer unlock()
	d := display.New(o.Out, display.StyleFor(o.Out))
	options, err := stackOptions(ctx, o, d)
	if err != nil {
		return err
	}
	s, err := stack.Start(ctx, options)
	if err != nil {
		return err
	}
	if names := unset(o.Config, o.Environ); len(names) > 0 {
		d.Say("Not set in this environment, so what needs them cannot be read or told: %s. Set them and start again.", strings.Join(names, ", "))
	}
	d.Say("Polling %s by the minute; state in %s. Ctrl-C ends.", sourceNames(o.Config), o.StateDir)
	if url := s.PagesURL(); url != "" {
		d.Say("Incident pages on %s, by the links in messages.", url)
	}
	if err := untilTheEnd(ctx, s); err != nil {
		return errors.Join(err, s.Close())
	}
	d.Say("Ending: finishing what is under way.")
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	if err := s.Drain(last); err != nil {
		d.Say("Not everything was finished: %v. The next start on %s takes it up.", err, o.StateDir)
	}
	return s.Close()
}

// missing reports what the stack needs and cannot find, before anything is written.
func missing(o Options) error {
	needed := stack.Options{Template: o.Template, FunctionsDir: o.FunctionsDir, Engine: o.Engine}
	if elsewhere() {
		needed.AWS = &aws.Config{}
	}
	return stack.Missing(needed)
}

// elsewhere reports whether another server provides the tables.
func elsewhere() bool { return os.Getenv("AWS_ENDPOINT_URL_DYNAMODB") != "" }

// errEngineGone reports that the engine has exited, without which nothing works.
var errEngineGone = errors.New("the local DynamoDB engine has ended by itself; start again: the state is kept, and what was under way is taken up")

// untilTheEnd runs the schedules until the context ends or the engine exits.
func untilTheEnd(ctx context.Context, s *stack.Stack) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-s.EngineExited():
			cancel(errEngineGone)
		case <-ctx.Done():
		}
	}()
	s.RunSchedules(ctx)
	if errors.Is(context.Cause(ctx), errEngineGone) {
		return errEngineGone
	}
	return nil
}

func sourceNames(cfg *config.Config) string {
	names := make([]string, 0, len(cfg.Sources))
	for _, s := range cfg.Sources {
		names = append(names, s.ID)
	}
	return strings.Join(names, ", ")
}

func stackOptions(ctx context.Context, o Options, d *display.Display) (stack.Options, error) {
	path, err := filepath.Abs(o.ConfigPath)
	if err != nil {
		return stack.Options{}, fmt.Errorf("find the configuration: %w", err)
	}
	level := "info"
	if o.Verbose {
		level = "debug"
	}
	env := append(slices.Clone(o.Environ), "RINGONCE_CONFIG="+path, "RINGONCE_LOG_LEVEL="+level,
		// The template's exists only in AWS; SES refuses mails that name an unknown
		// one.
		setup.ConfigurationSetVar+"="+os.Getenv(setup.ConfigurationSetVar))
	out := stack.Options{
		Template: o.Template, FunctionsDir: o.FunctionsDir, Engine: o.Engine, StateDir: o.StateDir, Env: env, Pages: o.Pages,
		Output:  func(l lambdaruntime.Line) { d.Line(l.Function, l.Text) },
		Problem: func(err error) { d.Say("  stack     %v", err) },
	}
	if !elsewhere() && !sendsMail(o.Config) {
		return out, nil
	}
	cfg, err := credentials(ctx)
	if err != nil {
		return stack.Options{}, err
	}
	if elsewhere() {
		out.AWS = &cfg
	}
	return out, nil
}

// credentials fails at the start rather than with the first mail.
func credentials(ctx context.Context) (aws.Config, error) {
	const remedy = "mail destinations and tables in AWS need AWS credentials and a region: set AWS_PROFILE, or " +
		"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_REGION"
	cfg, err := setup.AWS(ctx)
	if err != nil {
		return cfg, fmt.Errorf("%s: %w", remedy, err)
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return cfg, errors.New(remedy)
	}
	return cfg, nil
}

func sendsMail(cfg *config.Config) bool {
	for _, d := range cfg.Destinations {
		if d.Channel == config.ChannelSES {
			return true
		}
	}
	return false
}
