package incident

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ErrConflict reports that the row has changed since it was read. The caller must
// read it and decide again.
var ErrConflict = errors.New("the incident was changed by another worker since it was read")

// ErrBusy reports that the write failed because of throttling or a concurrent
// transaction on the same row. The same write may be retried after a pause.
var ErrBusy = errors.New("the store is busy")

// Active is a key whose health polls must keep reporting.
type Active struct {
	Key string
	// Sources are the sources that have reported the key.
	Sources []string
}

// Unreadable maps each key whose row cannot be read to the error. Results that a
// store returns with it are valid for all other keys.
type Unreadable map[string]error

func (u Unreadable) Error() string {
	keys := slices.Sorted(maps.Keys(u))
	if len(keys) == 0 {
		return "no incident is unreadable"
	}
	return fmt.Sprintf("%d incidents cannot be read, the first is %s: %v", len(keys), keys[0], u[keys[0]])
}
