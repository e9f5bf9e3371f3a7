// Decide is the Lambda function that the stream of the Observations table invokes: it
// folds observations into incidents and commits each decision with its messages.
package main

import (
	"math/rand/v2"
	"os"
	// The windows of silences follow the clocks of a time zone, and the Lambda
	// runtime has no time zone database.
	_ "time/tzdata"

	"github.com/ringonce/ringonce/internal/channels/render"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/setup/progress"
	"github.com/ringonce/ringonce/internal/setup/secrets"
)

func main() { setup.Main(wire, setup.Incidents, setup.Outbox, setup.Operations) }

func wire(b setup.Base) error {
	store := b.Store()
	p := progress.New(store, setup.Now, b.Log)
	page, err := secrets.PageLinks(os.Getenv, b.AWS, b.Log)
	if err != nil {
		return err
	}
	b.Serve(b.Counted(handler{b.Log, &decide.Decider{
		Config: b.Config, Log: b.Log, Now: setup.Now, Sleep: setup.Sleep, Jitter: rand.Float64,
		Store:  progress.Telling{Store: store, Progress: p},
		Render: render.Notice, Page: page,
	}, p}.handle))
	return nil
}
