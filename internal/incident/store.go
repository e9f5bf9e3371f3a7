package incident

import "errors"

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
