package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"

	"github.com/ringonce/ringonce/internal/local/stack"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/setup/secrets"
)

// pageLink returns the link to the page of an incident's episode.
type pageLink = func(ctx context.Context, key string, episode int) string

// pageLinks makes links as the functions over the same tables do; nil if those make
// none. An error in that does not stop a message: it is reported on stderr.
func (c call) pageLinks(ctx context.Context, s *stored) (pageLink, error) {
	env, err := c.pageEnv(ctx, s)
	if err != nil {
		fmt.Fprintf(c.stderr, "ringonce redrive: messages go without links to pages: %v\n", err)
		return nil, nil
	}
	var cfg aws.Config
	if strings.HasPrefix(env(setup.PageSecretVar), "ssm:") && env(setup.PageURLVar) != "" {
		if cfg, err = setup.AWS(ctx); err != nil {
			return nil, err
		}
	}
	plain := &slog.HandlerOptions{Level: slog.LevelError, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}}
	return secrets.PageLinks(env, cfg, slog.New(slog.NewTextHandler(c.stderr, plain)))
}

// pageEnv returns the functions' environment variables for pages: from this
// environment, from the named stack, or from the run that uses the state.
func (c call) pageEnv(ctx context.Context, s *stored) (setup.Env, error) {
	elsewhere := c.env("AWS_ENDPOINT_URL_DYNAMODB") != ""
	switch {
	case c.env(setup.PageURLVar) != "":
		return c.env, nil
	case s.stack != "" && !elsewhere:
		return stackPages(ctx, s.stack)
	case s.stack != "" || elsewhere:
		return c.env, nil
	}
	url, secret := stack.Pages(s.state)
	if named := c.env(setup.PageSecretVar); named != "" {
		secret = named
	}
	return fixed(map[string]string{setup.PageURLVar: url, setup.PageSecretVar: secret}), nil
}

// stackPages asks CloudFormation for the stack's parameters and outputs about pages.
func stackPages(ctx context.Context, name string) (setup.Env, error) {
	asking := func(err error) error {
		return fmt.Errorf("ask CloudFormation whether stack %s serves any: %w", name, err)
	}
	cfg, err := setup.AWS(ctx)
	if err != nil {
		return nil, asking(err)
	}
	answer, err := cloudformation.NewFromConfig(cfg).DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &name})
	if err != nil {
		return nil, asking(err)
	}
	values := map[string]string{}
	for _, s := range answer.Stacks {
		for _, p := range s.Parameters {
			switch aws.ToString(p.ParameterKey) {
			case "PageSecret":
				if secret := aws.ToString(p.ParameterValue); secret != "" {
					values[setup.PageSecretVar] = "ssm:" + secret
				}
			case "PageDays":
				values[setup.PageDaysVar] = aws.ToString(p.ParameterValue)
			}
		}
		for _, o := range s.Outputs {
			if aws.ToString(o.OutputKey) == "PageUrl" {
				values[setup.PageURLVar] = aws.ToString(o.OutputValue)
			}
		}
	}
	return fixed(values), nil
}

func fixed(values map[string]string) setup.Env {
	return func(name string) string { return values[name] }
}
