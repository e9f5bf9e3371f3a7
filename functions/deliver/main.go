// Deliver is the Lambda function that the stream of the Outbox table feeds: it
// takes new messages to their destinations.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/channels"
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
	tables, err := setup.Tables(os.Getenv, setup.Outbox, setup.Operations)
	if err != nil {
		return err
	}
	aws, err := setup.AWS(context.Background())
	if err != nil {
		return err
	}
	h := setup.Counted(handler{log, channels.Deliverer(cfg, aws, tables, log)}.handle, metrics, log)
	beats := dynamo.New(dynamodb.NewFromConfig(aws), tables)
	lambda.Start(setup.Beating(h, observation.BeatDeliver, beats, log))
	return nil
}
