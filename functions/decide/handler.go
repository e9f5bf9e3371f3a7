package main

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/setup/progress"
	"github.com/ringonce/ringonce/internal/streamevent"
)

// handler turns stream records into decisions.
type handler struct {
	log     *slog.Logger
	decider *decide.Decider
	// progress reports to the heartbeat how far deciding has come; nil reports
	// nothing.
	progress *progress.Progress
}

// handle returns the sequence numbers of the records that failed, in stream order;
// Lambda retries from the first one on. A record that can never be read fails each
// time until the mapping sends it to the failure queue. The other records of the batch
// are done by then, and doing them again changes nothing.
func (h handler) handle(ctx context.Context, event json.RawMessage) (events.DynamoDBEventResponse, error) {
	records, err := streamevent.Decode(event)
	if err != nil {
		return events.DynamoDBEventResponse{}, err
	}
	batch := streamevent.NewBatch(records)
	var all []observation.Observation
	keys := make(map[int]string, len(records))
	for i, r := range batch.Inserts() {
		o, err := dynamo.ObservationFromItem(r.NewImage)
		if err != nil {
			batch.Fail(i, err)
			continue
		}
		all = append(all, o)
		keys[i] = o.IncidentKey
	}
	failed := h.decider.Decide(h.progress.Begin(ctx), all)
	h.progress.Folded(ctx, all, failed)
	for i, key := range keys {
		if err := failed[key]; err != nil {
			batch.Fail(i, err)
		}
	}
	return batch.Response(ctx, h.log)
}
