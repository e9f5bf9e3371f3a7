package delivery

import (
	"bytes"
	"encoding/json"
)

// The limits on the outbox items in one transaction. DynamoDB allows 100 rows and
// 4 MB ("Quotas in Amazon DynamoDB", Developer Guide). Two rows are the decision and
// its state; MaxBytes leaves a margin for them.
const (
	MaxDecided = 98
	MaxBytes   = 3 << 20
)

// baseSize estimates, in bytes, an item without its notice and payload.
const baseSize = 1 << 10

// Size estimates, in bytes, the row of an item without attempts.
func (d Delivery) Size() int {
	var n bytes.Buffer
	enc := json.NewEncoder(&n)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d.Notice); err != nil {
		// A notice holds only strings, numbers and times, so this cannot happen.
		return baseSize + len(d.Payload)
	}
	return baseSize + n.Len() + len(d.Payload)
}

// Fitting returns how many leading items fit into one transaction of at most most
// items and room bytes. It returns at least one, unless there are no items.
func Fitting(items []Delivery, most, room int) int {
	for i, d := range items {
		if room -= d.Size(); i > 0 && (i == most || room < 0) {
			return i
		}
	}
	return len(items)
}
