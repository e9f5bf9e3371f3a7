package delivery

import (
	"bytes"
	"encoding/json"
)

// What one transaction may hold of outbox items. DynamoDB takes 100 rows and 4 MB
// ("Quotas in Amazon DynamoDB", Developer Guide); two rows are a decision and its
// state, and the bytes leave a margin for what else is written.
const (
	MaxDecided = 98
	MaxBytes   = 3 << 20
)

// fields estimates, in bytes, an item without its notice and payload.
const fields = 1 << 10

// Size estimates, in bytes, the row of an item that has not been tried yet.
func (d Delivery) Size() int {
	var n bytes.Buffer
	enc := json.NewEncoder(&n)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d.Notice); err != nil {
		// It is text, numbers and times; nothing of that fails.
		return fields + len(d.Payload)
	}
	return fields + n.Len() + len(d.Payload)
}

// Fitting returns how many of the items, from the first on and at least one, can be
// written at once: no more than most items, and no more than room bytes.
func Fitting(items []Delivery, most, room int) int {
	for i, d := range items {
		if room -= d.Size(); i > 0 && (i == most || room < 0) {
			return i
		}
	}
	return len(items)
}
