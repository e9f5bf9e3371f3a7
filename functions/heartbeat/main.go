// Heartbeat is the Lambda function that a schedule calls every minute: it checks the
// traces that the other functions leave and reports whether all is well.
package main

import (
	"os"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/ringonce/ringonce/internal/heartbeat"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/setup/secrets"
)

// The environment variables that only this function reads.
const (
	// queueVar is the URL of the failure queue.
	queueVar = "RINGONCE_FAILURE_QUEUE"
	// pingVar is a reference to the secret ping URL of a dead-man's switch; empty for
	// none.
	pingVar = "RINGONCE_PING_URL"
)

func main() { setup.Main(wire, setup.Outbox, setup.Operations) }

func wire(b setup.Base) error {
	checker := &heartbeat.Checker{
		Config: b.Config, Now: setup.Now, Store: b.Store(),
		Queue: queue{sqs.NewFromConfig(b.AWS), os.Getenv(queueVar)},
	}
	ping := pinger(os.Getenv(pingVar), secrets.New(b.AWS, b.Log))
	b.Serve(b.Counted(handler{b.Log, b.Metrics, checker, ping}.handle))
	return nil
}
