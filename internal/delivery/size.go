package delivery

import (
	"bytes"
	"encoding/json"
)

// What is written at once, with a margin for what else is: a DynamoDB transaction
// takes 100 rows, of which two are a decision and its state, and 4 MB ("Quotas in
// Amazon DynamoDB", Developer Guide).
const (
	MaxDecided = 98
	MaxBytes   = 3 << 20
)

// fields is about what the fields of an item take beside its message.
const fields = 1 << 10

// Size is about how many bytes an item takes that has not been tried yet.
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

// Fitting is how many of the items, at least one, can be written at once where there
// is room for so many and so many bytes.
func Fitting(items []Delivery, most, room int) int {
	for i, d := range items {
		if room -= d.Size(); i > 0 && (i == most || room < 0) {
			return i
		}
	}
	return len(items)
}
