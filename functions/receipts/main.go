// Receipts is the Lambda function that hears from SES, through EventBridge, what
// has become of a mail: it settles sends that may have arrived, and marks mails
// that came back.
package main

import (
	"github.com/aws/aws-lambda-go/lambda"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/receipts"
	"github.com/ringonce/ringonce/internal/setup"
)

func main() { setup.Main(wire, setup.Outbox, setup.Operations) }

func wire(b setup.Base) error {
	h := handler{&receipts.Receiver{
		Ledger: b.Store(), Log: b.Log, Now: setup.Now,
		Instead: receipts.Instead(b.Config, channels.Render, b.Log, setup.Now),
	}}
	lambda.Start(b.Counted(h.handle))
	return nil
}
