package main

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/streamevent"
)

// handler turns stream records into deliveries.
type handler struct {
	log       *slog.Logger
	deliverer *deliver.Deliverer
}

// handle returns the sequence numbers of the records whose ledger could not be
// written. A send that failed is not among them: the ledger holds it.
func (h handler) handle(ctx context.Context, event json.RawMessage) (events.DynamoDBEventResponse, error) {
	records, err := streamevent.Decode(event)
	if err != nil {
		return events.DynamoDBEventResponse{}, err
	}
	batch := streamevent.NewBatch(records)
	var (
		items  []delivery.Due
		places []int
	)
	for i, r := range batch.Inserts() {
		item, err := dynamo.DueFromItem(r.NewImage)
		if err != nil {
			batch.Fail(i, err)
			continue
		}
		items, places = append(items, item), append(places, i)
	}
	for i, err := range h.deliverer.Deliver(ctx, items) {
		batch.Fail(places[i], err)
	}
	return batch.Response(ctx, h.log)
}
