// Sweep is the Lambda function that a schedule calls every minute: it takes up
// deliveries that are due again or whose worker was lost, and ends incidents that no
// source reports any more.
package main

import (
	"math/rand/v2"
	"os"
	// The windows of silences follow the clocks of a time zone, and the Lambda
	// runtime has no time zone database.
	_ "time/tzdata"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/setup/secrets"
)

func main() { setup.Main(wire, setup.Observations, setup.Incidents, setup.Outbox, setup.Operations) }

func wire(b setup.Base) error {
	store := b.Store()
	page, err := secrets.PageLinks(os.Getenv, b.AWS, b.Log)
	if err != nil {
		return err
	}
	h := b.Counted(handler{b.Log, channels.Deliverer(b.Config, b.AWS, b.Tables, b.Log), &decide.Lapser{
		Evidence: store, Retention: store,
		Decider: &decide.Decider{
			Config: b.Config, Log: b.Log, Now: setup.Now, Sleep: setup.Sleep, Jitter: rand.Float64,
			Store: store, Render: channels.Render, Page: page,
		},
	}}.handle)
	b.Serve(setup.Beating(h, observation.BeatSweep, store, b.Log))
	return nil
}
