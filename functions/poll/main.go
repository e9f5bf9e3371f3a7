// Poll is the Lambda function that a schedule calls every minute: it reads every
// source that is due and writes what it found as observations.
package main

import (
	"math/rand/v2"
	"time"

	"github.com/ringonce/ringonce/internal/poll"
	"github.com/ringonce/ringonce/internal/redact"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/setup/secrets"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/cloudwatch"
)

// lease is longer than the function's timeout in template.yaml, so that a tick
// is never polled by two invocations at once.
const lease = 60 * time.Second

func main() { setup.Main(wire, setup.Observations, setup.Incidents, setup.Operations) }

func wire(b setup.Base) error {
	redactor, err := redact.New(b.Config.Redact...)
	if err != nil {
		return err
	}
	vault := secrets.New(b.AWS, b.Log)
	secrets.Load(vault, b.Config.SourceSecrets(), b.Log)
	client := source.New(source.Options{
		Secrets: vault, Redact: redactor, Service: cloudwatch.New(b.AWS).For,
		Now: setup.Now, Sleep: setup.Sleep, Jitter: rand.Float64, MaxHeap: b.MaxHeap,
	})
	b.Serve(b.Counted(handler{&poll.Poller{
		Config: b.Config, Log: b.Log, Now: setup.Now, Token: setup.Token, Lease: lease,
		Store:   b.Store(),
		Fetcher: client, Enricher: client,
	}}.handle))
	return nil
}
