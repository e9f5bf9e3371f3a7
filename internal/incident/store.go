package incident

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ErrConflict reports that the row has moved on since it was read: read it
// again and decide again.
var ErrConflict = errors.New("the incident was changed by another worker since it was read")

// ErrBusy reports that the store could not take the write now, because of
// throttling or a concurrent transaction on the same row; the same write may
// be tried again after a pause.
var ErrBusy = errors.New("the store is busy")

// Active is a key that polls must keep telling the health of.
type Active struct {
	Key string
	// Sources are the sources that have spoken for the key.
	Sources []string
}

// Unreadable are keys whose rows cannot be read, each with why. What a store
// returns beside it holds for all other keys.
type Unreadable map[string]error

func (u Unreadable) Error() string {
	keys := slices.Sorted(maps.Keys(u))
	if len(keys) == 0 {
		return "no incident is unreadable"
	}
	return fmt.Sprintf("%d incidents cannot be read, the first is %s: %v", len(keys), keys[0], u[keys[0]])
}
