// Heartbeat is the Lambda function that a schedule calls every minute: it looks
// at what the other functions have left behind and says whether all is well.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/heartbeat"
	"github.com/ringonce/ringonce/internal/setup"
)

// The environment variables that only this function reads.
const (
	// queueVar is the URL of the failure queue.
	queueVar = "RINGONCE_FAILURE_QUEUE"
	// pingVar refers to the secret ping URL of a dead-man's switch; empty is
	// none.
	pingVar = "RINGONCE_PING_URL"
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
	checker := &heartbeat.Checker{
		Config: cfg, Now: setup.Now, Store: dynamo.New(dynamodb.NewFromConfig(aws), tables),
		Queue: queue{sqs.NewFromConfig(aws), os.Getenv(queueVar)},
	}
	ping := pinger(os.Getenv(pingVar), setup.Secrets(aws, log))
	lambda.Start(setup.Counted(handler{log, metrics, checker, ping}.handle, metrics, log))
	return nil
}
