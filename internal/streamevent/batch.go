package streamevent

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"
)

// Batch tracks the outcome of each record of one event.
type Batch struct {
	records []Record
	failed  map[int]error
}

// NewBatch marks the records that could not be read as failed.
func NewBatch(records []Record) *Batch {
	b := &Batch{records: records, failed: make(map[int]error)}
	for i, r := range records {
		if r.Err != nil {
			b.failed[i] = r.Err
		}
	}
	return b
}

// Inserts yields the readable records of new rows, by their position in the event.
// The mapping filters for them too, but a filter is easily lost.
func (b *Batch) Inserts() iter.Seq2[int, Record] {
	return func(yield func(int, Record) bool) {
		for i, r := range b.records {
			if b.failed[i] == nil && r.EventName == Insert && !yield(i, r) {
				return
			}
		}
	}
}

// Fail marks the record at a position as not done, with the reason.
func (b *Batch) Fail(place int, err error) { b.failed[place] = err }

// Response returns the sequence numbers of the failed records to Lambda, in stream
// order, and logs why each failed. A failed record without a sequence number cannot
// be named: then the whole batch fails, and repeating it does not repeat what was
// done.
//
// Lambda continues from the lowest number returned ("Implementing partial batch
// responses", AWS Lambda developer guide).
func (b *Batch) Response(ctx context.Context, log *slog.Logger) (events.DynamoDBEventResponse, error) {
	response := events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}
	var unnamed []error
	for i, r := range b.records {
		err := b.failed[i]
		if err == nil {
			continue
		}
		log.ErrorContext(ctx, "a stream record is not done and will be tried again; after the last try it is in the failure queue",
			"record", i+1, "of", len(b.records), "sequence_number", r.SequenceNumber, "error", err.Error())
		if r.SequenceNumber == "" {
			unnamed = append(unnamed, fmt.Errorf("record %d of %d: %w", i+1, len(b.records), err))
			continue
		}
		response.BatchItemFailures = append(response.BatchItemFailures, events.DynamoDBBatchItemFailure{ItemIdentifier: r.SequenceNumber})
	}
	return response, errors.Join(unnamed...)
}
