// Receipts is the Lambda function that receives SES's mail events through
// EventBridge: it settles sends whose outcome was unknown, and marks mails that
// bounced.
package main

import (
	"github.com/ringonce/ringonce/internal/channels/render"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/receipts"
	"github.com/ringonce/ringonce/internal/setup"
)

func main() { setup.MainForSending(wire, setup.Outbox, setup.Operations) }

func wire(b setup.Base) error {
	store := b.Store()
	h := b.Counted(handler{&receipts.Receiver{
		Ledger: store, Log: b.Log, Now: setup.Now,
		Fallback: (&receipts.Fallbacks{Config: b.Config, Ledger: store, Render: render.Notice, Log: b.Log, Now: setup.Now}).Items,
	}}.handle)
	b.Serve(setup.Beating(h, observation.BeatReceipts, store, b.Log))
	return nil
}
