// Decide is the Lambda function that the stream of the Observations table
// feeds: it folds observations into incidents and commits what is to be told.
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
	tables, err := setup.Tables(os.Getenv, setup.Incidents, setup.Outbox, setup.Operations)
	if err != nil {
		return err
	}
	aws, err := setup.AWS(context.Background())
	if err != nil {
		return err
	}
	store := dynamo.New(dynamodb.NewFromConfig(aws), tables)
	trace := &trace{beats: store, now: setup.Now, log: log}
	lambda.Start(setup.Counted(handler{log, &decide.Decider{
		Config: cfg, Log: log, Now: setup.Now, Sleep: setup.Sleep, Jitter: rand.Float64,
		Store:  telling{store, trace},
		Render: channels.Render,
	}, trace}.handle, metrics, log))
	return nil
}
