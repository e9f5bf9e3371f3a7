// Poll is the Lambda function that a schedule calls every minute: it reads all
// sources that are due and writes what they say as observations.
package main

import (
	"context"
	"math/rand/v2"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/poll"
	"github.com/ringonce/ringonce/internal/redact"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/cloudwatch"
)

// lease is longer than the function's timeout in template.yaml, so that a tick
// is never polled by two invocations at once.
const lease = 60 * time.Second

func main() { setup.Main(wire) }

func wire() error {
	log, err := setup.Log(os.Stdout, os.Getenv)
	if err != nil {
		return err
	}
	metrics, log := setup.Metrics(os.Stdout, os.Getenv, log)
	cfg, err := setup.Config(os.Getenv)
	if err != nil {
		return err
	}
	tables, err := setup.Tables(os.Getenv, setup.Observations, setup.Incidents, setup.Operations)
	if err != nil {
		return err
	}
	redactor, err := redact.New(cfg.Redact...)
	if err != nil {
		return err
	}
	aws, err := setup.AWS(context.Background())
	if err != nil {
		return err
	}
	secrets := setup.Secrets(aws, log)
	setup.LoadSecrets(secrets, cfg.SourceSecrets(), log)
	client := source.New(source.Options{
		Secrets: secrets, Redact: redactor, Service: cloudwatch.New(aws).For,
		Now: setup.Now, Sleep: setup.Sleep, Jitter: rand.Float64,
	})
	lambda.Start(setup.Counted(handler{&poll.Poller{
		Config: cfg, Log: log, Now: setup.Now, Token: setup.Token, Lease: lease,
		Store:   dynamo.New(dynamodb.NewFromConfig(aws), tables, dynamo.KeepRuns(cfg.Retention.PollRuns)),
		Fetcher: client, Enricher: client,
	}}.handle, metrics, log))
	return nil
}
