package main

import (
	"context"
	"encoding/json"

	"github.com/ringonce/ringonce/internal/receipts"
	"github.com/ringonce/ringonce/internal/ses"
)

// handler turns the events of SES into receipts.
type handler struct{ receiver *receipts.Receiver }

// handle returns an error for an event that could not be applied; Lambda then retries
// it twice, since the ledger's index may lag behind the mail.
func (h handler) handle(ctx context.Context, event json.RawMessage) error {
	e, ours, err := ses.ReadEvent(event)
	if err != nil || !ours {
		return err
	}
	return h.receiver.Receive(ctx, e.DeliveryID, e.MessageID, e.Receipt)
}
