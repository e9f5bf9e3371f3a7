// Deliver is the Lambda function that the stream of the Outbox table invokes: it
// sends new messages to their destinations.
package main

import (
	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/setup"
)

func main() { setup.MainForSending(wire, setup.Outbox, setup.Operations) }

func wire(b setup.Base) error {
	h := b.Counted(handler{b.Log, channels.Deliverer(b.Config, b.AWS, b.Tables, b.Log)}.handle)
	beats := b.Store()
	b.Serve(setup.Beating(h, observation.BeatDeliver, beats, b.Log))
	return nil
}
