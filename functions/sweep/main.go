// Sweep is the Lambda function that a schedule calls every minute: it takes up
// deliveries that are due again or whose worker was lost, and ends incidents
// that no source speaks for any more.
package main

import (
	"context"
	"math/rand/v2"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/setup"
)

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
	tables, err := setup.Tables(os.Getenv, setup.Observations, setup.Incidents, setup.Outbox, setup.Operations)
	if err != nil {
		return err
	}
	aws, err := setup.AWS(context.Background())
	if err != nil {
		return err
	}
	store := dynamo.New(dynamodb.NewFromConfig(aws), tables)
	h := setup.Counted(handler{log, channels.Deliverer(cfg, aws, tables, log), &decide.Lapser{
		Evidence: store,
		Decider: &decide.Decider{
			Config: cfg, Log: log, Now: setup.Now, Sleep: setup.Sleep, Jitter: rand.Float64,
			Store: store, Render: channels.Render,
		},
	}}.handle, metrics, log)
	lambda.Start(setup.Beating(h, observation.BeatSweep, store, log))
	return nil
}
