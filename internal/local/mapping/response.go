package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// handledCount reads a batch item failure report ("Configuring partial batch response
// with DynamoDB and Lambda") and returns how many records from the start of the batch
// need no retry. The failed record with the lowest sequence number, and all after it,
// do. A report without a valid record of the batch fails the whole batch.
func handledCount(response []byte, batch []record) (int, error) {
	failures, err := reported(response)
	if err != nil {
		return 0, err
	}
	first := len(batch)
	for _, id := range failures {
		place := position(batch, id)
		if place < 0 {
			return 0, fmt.Errorf("the function reports the failure of %q, which is no sequence number of its batch", id)
		}
		first = min(first, place)
	}
	if first == len(batch) {
		return first, nil
	}
	return first, errors.New("the function reports that this record failed")
}

// reported returns the item identifiers of a report. It does not decode into a
// struct, because names must match in their exact case.
func reported(response []byte) ([]string, error) {
	response = bytes.TrimSpace(response)
	if len(response) == 0 || bytes.Equal(response, []byte("null")) {
		return nil, nil
	}
	var report map[string]json.RawMessage
	if err := json.Unmarshal(response, &report); err != nil {
		return nil, fmt.Errorf("the function's response is no batch item failure report: %w", err)
	}
	list, ok := report["batchItemFailures"]
	if !ok {
		return nil, nil
	}
	var items []map[string]*string
	if err := json.Unmarshal(list, &items); err != nil {
		return nil, fmt.Errorf("batchItemFailures of the function's response: %w", err)
	}
	ids := make([]string, len(items))
	for i, item := range items {
		id := item["itemIdentifier"]
		if id == nil || *id == "" {
			return nil, errors.New("the function reports a failure without an itemIdentifier")
		}
		ids[i] = *id
	}
	return ids, nil
}

func position(batch []record, sequence string) int {
	for i, r := range batch {
		if r.sequence() == sequence {
			return i
		}
	}
	return -1
}
