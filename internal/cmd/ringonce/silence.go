package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/redact"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/silence"
)

func silenceCommand() command {
	cmd := command{
		name:      "silence",
		arguments: "add | list | end ID",
		summary:   "keep messages back for a while, or at times of the week",
		usage: `Keeps messages back. What is tracked does not change: what was told as open is
told as resolved, silence or not; what fails and recovers inside of a silence is
told to nobody; what still fails when it has ended is told then, once. What was
decided before it began is still delivered.

  silence add       what fits all of these, of which * stands for any text:
    --key PATTERN     incident keys
    --owner PATTERN   owners
    --source PATTERN  sources, with what they say about themselves
    --destination PATTERN
                      destinations; the others are told
   and one of these, or --until with --window:
    --until TIME      2026-01-02T15:04:05+01:00, or how long: 30m, 2h, 3d
    --window TEXT     "mon,tue 22:00-07:00", or "22:00-07:00" for every day; may
                      be repeated. Needs --zone
   and:
    --from TIME       when it begins; by default now
    --zone NAME       whose clocks windows go by: Europe/Berlin
    --reason TEXT     why; required
    --author NAME     who: a name or a login, no mail address; required
  silence list      those that hold or will; those of the configuration too
    --all             those that are over, too
  silence end ID    end one now
    --author NAME     who ends it; required

Windows go by the clock on the wall. When the clocks are changed, a time that is
skipped is the moment of the change; of a time that comes twice, a window begins
at the first and ends at the second.
` + silenceUsage,
	}
	cmd.run = func(ctx context.Context, c call) int { return runSilence(ctx, cmd, c) }
	return cmd
}

const silenceUsage = `
  --config FILE     the configuration, to check names by and for what it plans;
                    else $RINGONCE_CONFIG or ringonce.yaml if there
  --json            print JSON
` + placesUsage

// silenceAsked holds the command line's request.
type silenceAsked struct {
	match             silence.Match
	from, until, zone string
	windows           []string
	reason, author    string
	all               bool
}

func runSilence(ctx context.Context, cmd command, c call) int {
	var (
		a  silenceAsked
		in stored
	)
	flags := in.define(cmd.name)
	a.define(flags)
	args, code, ok := c.parse(cmd, flags, 2)
	if !ok {
		return code
	}
	work, err := a.work(ctx, c, args, in.json, setup.Now())
	if err != nil {
		return c.misuse(cmd, err.Error())
	}
	return c.read(ctx, cmd, &in, func(store *dynamo.Store, cfg *config.Config) (int, error) { return exitOK, work(store, cfg) })
}

func (a *silenceAsked) define(flags *flag.FlagSet) {
	for _, f := range []struct {
		to   *string
		name string
	}{
		{&a.match.Key, "key"},
		{&a.match.Owner, "owner"},
		{&a.match.Source, "source"},
		{&a.match.Destination, "destination"},
		{&a.from, "from"},
		{&a.until, "until"},
		{&a.zone, "zone"},
		{&a.reason, "reason"},
		{&a.author, "author"},
	} {
		flags.StringVar(f.to, f.name, "", "")
	}
	flags.Func("window", "", func(text string) error { a.windows = append(a.windows, text); return nil })
	flags.BoolVar(&a.all, "all", false, "")
}

// work returns what to do with the tables, or an error for an invalid command line.
func (a *silenceAsked) work(ctx context.Context, c call, args []string, asJSON bool, now time.Time) (func(silenceStore, *config.Config) error, error) {
	switch {
	case slices.Equal(args, []string{"add"}):
		s, err := a.silence(now)
		return func(store silenceStore, cfg *config.Config) error {
			return c.addSilence(ctx, store, cfg, s, asJSON, now)
		}, err
	case slices.Equal(args, []string{"list"}):
		return func(store silenceStore, cfg *config.Config) error {
			return c.listSilences(ctx, store, cfg, a.all, asJSON, now)
		}, nil
	case len(args) == 2 && args[0] == "end":
		return func(store silenceStore, cfg *config.Config) error {
			return c.endSilence(ctx, store, cfg, args[1], a.author, now)
		}, named("--author", silence.CheckAuthor(a.author))
	default:
		return nil, errors.New("say add, list or end ID")
	}
}

// silence returns the silence that add requests.
func (a *silenceAsked) silence(now time.Time) (silence.Silence, error) {
	s := silence.Silence{
		Match: a.match, From: now, Zone: a.zone, Reason: redact.Text(a.reason), Author: a.author, CreatedAt: now,
	}
	errs := []error{named("--reason", silence.CheckReason(a.reason)), named("--author", silence.CheckAuthor(a.author))}
	if a.match.Empty() {
		errs = append(errs, errors.New(`say what to keep quiet: --key, --owner, --source or --destination; --key "*" is everything`))
	}
	times := a.times(&s)
	if times == nil {
		times = errors.Join(timesOf(s, now)...)
	}
	return s.Named(), errors.Join(append(errs, times)...)
}

// times reads when a silence holds.
func (a *silenceAsked) times(s *silence.Silence) error {
	var (
		errs []error
		err  error
	)
	if a.from != "" {
		s.From, err = moment(a.from, false)
		errs = append(errs, named("--from", err))
	}
	if a.until != "" {
		s.Until, err = untilOf(a.until, s.From)
		errs = append(errs, named("--until", err))
	}
	for _, text := range a.windows {
		w, err := silence.ParseWindow(text)
		s.Windows = append(s.Windows, w)
		errs = append(errs, named("--window", err))
	}
	return errors.Join(errs...)
}

func named(flag string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", flag, err)
}

// untilOf reads an end: a time, a day, or a duration.
func untilOf(text string, from time.Time) (time.Time, error) {
	if d, err := config.ParseDuration(text); err == nil {
		return from.Add(d), nil
	}
	t, err := moment(text, false)
	if err != nil {
		err = fmt.Errorf("%w, or how long: 30m, 2h, 3d", err)
	}
	return t, err
}

func timesOf(s silence.Silence, now time.Time) []error {
	var errs []error
	switch {
	case s.Until.IsZero() && len(s.Windows) == 0:
		errs = append(errs, errors.New("say when it ends: --until, or a --window of the week"))
	case !s.Until.IsZero() && (!s.Until.After(s.From) || !s.Until.After(now)):
		errs = append(errs, errors.New("--until is over already, or not after --from"))
	}
	if len(s.Windows) > 0 {
		_, err := silence.Zone(s.Zone)
		errs = append(errs, named("--zone", err))
	} else if s.Zone != "" {
		errs = append(errs, errors.New("--zone is only for a --window: times say their offset themselves"))
	}
	return errs
}

// checkNames checks names without a * against the configuration.
func checkNames(cfg *config.Config, m silence.Match) error {
	if cfg == nil {
		return nil
	}
	for _, n := range []struct {
		what, name string
		known      []string
	}{
		{"owner", m.Owner, slices.Sorted(maps.Keys(cfg.Owners))}, {"source", m.Source, sourceIDs(cfg)}, {"destination", m.Destination, cfg.Written()},
	} {
		if n.name != "" && !strings.Contains(n.name, "*") && !slices.Contains(n.known, n.name) {
			return fmt.Errorf("there is no %s %q%s; the configuration has %s", n.what, n.name, suggestion(n.name, n.known), strings.Join(n.known, ", "))
		}
	}
	return nil
}
