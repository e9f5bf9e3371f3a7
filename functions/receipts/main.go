// Receipts is the Lambda function that hears from SES, through EventBridge, what
// has become of a mail: it settles sends that may have arrived, and marks mails
// that came back.
package main

import (
	"github.com/ringonce/ringonce/internal/channels/render"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/receipts"
	"github.com/ringonce/ringonce/internal/setup"
)

func main() { setup.Main(wire, setup.Outbox, setup.Operations) }

func wire(b setup.Base) error {
	store := b.Store()
	h := b.Counted(handler{&receipts.Receiver{
		Ledger: store, Log: b.Log, Now: setup.Now,
		Instead: receipts.Instead(b.Config, render.Notice, b.Log, setup.Now),
	}}.handle)
	b.Serve(setup.Beating(h, observation.BeatReceipts, store, b.Log))
	return nil
}
