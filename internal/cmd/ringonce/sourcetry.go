package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/redact"
	"github.com/ringonce/ringonce/internal/secret"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/setup/secrets"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/cloudwatch"
)

// tryFor bounds one trial, as a poll function's minute bounds a poll.
const tryFor = 50 * time.Second

func trySource(ctx context.Context, cmd command, c call) int {
	flags := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	configPath := flags.String("config", "", "")
	from := flags.String("from", "", "")
	record := flags.String("record", "", "")
	args, code, ok := c.parse(cmd, flags, 1)
	if !ok {
		return code
	}
	if len(args) == 0 {
		return c.misuse(cmd, "say which source: its id, or a file with its definition")
	}
	src, cfg, err := wanted(c, *configPath, args[0])
	if err == nil {
		err = tryable(src)
	}
	var t *trial
	if err == nil {
		t, err = newTrial(ctx, src, cfg, *from, *record, definedIn(c, *configPath, args[0]))
	}
	if err != nil {
		return c.failed(cmd, err)
	}
	return t.run(ctx, c.stdout)
}

// tryable reports what the adapter cannot run.
func tryable(src config.Source) error {
	faults := source.Check(src)
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("source %s: %s", src.ID, faults[0])
}

func newTrial(ctx context.Context, src config.Source, cfg *config.Config, from, record, file string) (*trial, error) {
	redactor, err := redact.New(cfg.Redact...)
	if err != nil {
		return nil, err
	}
	t := &trial{src: src, record: record}
	opts := source.Options{Redact: redactor, Now: setup.Now, Sleep: setup.Sleep, Trace: t.note}
	if from != "" {
		opts.Transport, err = playback(from)
		t.src.Request.Bearer, t.src.Request.BasicUser, t.src.Request.BasicPassword = "", "", ""
		t.src.Request.Headers = nil
	} else {
		opts.Service, err = trialService(ctx, src)
		if err == nil {
			opts.Secrets, err = trialSecrets(ctx, src, file)
		}
	}
	t.client = source.New(opts)
	return t, err
}

// trialService asks CloudWatch through the SDK, for a source of CloudWatch's.
func trialService(ctx context.Context, src config.Source) (func(string) http.RoundTripper, error) {
	u, err := url.Parse(src.Request.URL)
	if err != nil || (&cloudwatch.Transport{}).For(u.Hostname()) == nil {
		return nil, nil
	}
	aws, err := setup.AWS(ctx)
	if err != nil {
		return nil, err
	}
	return cloudwatch.New(aws).For, nil
}

// trialSecrets resolves references to secrets; only a source that needs the parameter
// store needs an AWS account. Relative paths start at the file that holds them.
func trialSecrets(ctx context.Context, src config.Source, file string) (source.Secrets, error) {
	log := slog.New(slog.DiscardHandler)
	values := []string{src.Request.Bearer, src.Request.BasicPassword}
	for _, v := range src.Request.Headers {
		values = append(values, v)
	}
	for _, v := range values {
		if strings.HasPrefix(v, "ssm:") {
			aws, err := setup.AWS(ctx)
			if err != nil {
				return nil, err
			}
			return secrets.Beside(file, aws, log), nil
		}
	}
	return secret.New(secret.Options{Now: setup.Now, Log: log, Dir: filepath.Dir(file)}), nil
}
