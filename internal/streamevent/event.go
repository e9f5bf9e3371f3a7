package streamevent

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The names of events.
const (
	Insert = "INSERT"
	Modify = "MODIFY"
	Remove = "REMOVE"
)

// Record is one change of one row.
type Record struct {
	// SequenceNumber is the record's position in its shard, which a function returns
	// to get the record again. It is empty if it could not be read.
	SequenceNumber string
	EventName      string
	Keys           map[string]types.AttributeValue
	// NewImage is the row after the change; nil for a removed row.
	NewImage map[string]types.AttributeValue
	// Err is why the record cannot be used. Keys and NewImage are nil then.
	Err error
}

var errMissing = errors.New("missing")

// Decode reads an event. It returns an error only for data that is not an event of a
// DynamoDB stream; a record that cannot be read has its own Err.
func Decode(event []byte) ([]Record, error) {
	fields, err := into[map[string]json.RawMessage](event)
	if err != nil {
		return nil, fmt.Errorf("read the event of a DynamoDB stream: %w", err)
	}
	raw, err := field[[]json.RawMessage](fields, "Records")
	if err != nil {
		return nil, fmt.Errorf("read the event of a DynamoDB stream: %w", err)
	}
	records := make([]Record, len(raw))
	for i, r := range raw {
		records[i] = record(r)
	}
	return records, nil
}

func record(raw json.RawMessage) (r Record) {
	if err := r.read(raw); err != nil {
		r.Keys, r.NewImage = nil, nil
		r.Err = fmt.Errorf("stream record %q: %w", r.SequenceNumber, err)
	}
	return r
}

// read reads the sequence number first, since it is needed most when the rest of the
// record is malformed.
func (r *Record) read(raw json.RawMessage) error {
	fields, err := into[map[string]json.RawMessage](raw)
	if err != nil {
		return err
	}
	change, err := field[map[string]json.RawMessage](fields, "dynamodb")
	if err != nil {
		return err
	}
	if r.SequenceNumber, err = field[string](change, "SequenceNumber"); err != nil {
		return err
	}
	if r.SequenceNumber == "" {
		return errors.New("SequenceNumber: empty")
	}
	if r.EventName, err = field[string](fields, "eventName"); err != nil {
		return err
	}
	if r.Keys, err = image(change, "Keys"); err != nil {
		return err
	}
	switch r.EventName {
	case Insert, Modify:
		r.NewImage, err = image(change, "NewImage")
	case Remove:
	default:
		err = fmt.Errorf("eventName: %q is none of %s, %s, %s", r.EventName, Insert, Modify, Remove)
	}
	return err
}
