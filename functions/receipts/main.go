// Receipts is the Lambda function that hears from SES, through EventBridge, what
// has become of a mail: it settles sends that may have arrived, and marks mails
// that came back.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/receipts"
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
	h := handler{&receipts.Receiver{
		Ledger: dynamo.New(dynamodb.NewFromConfig(aws), tables), Log: log, Now: setup.Now,
		Instead: receipts.Instead(cfg, channels.Render, log, setup.Now),
	}}
	lambda.Start(setup.Counted(h.handle, metrics, log))
	return nil
}
